// Two jobs need a printer and a scanner and acquire the two semaphores in opposite orders: each may hold one and wait for the other.
// verdict: bug
#include <semaphore>
#include <thread>

struct devices {
	std::binary_semaphore printer{1}, scanner{1};
	int pages = 0;

	void copy()
	{
		scanner.acquire();
		printer.acquire();
		pages++;
		printer.release();
		scanner.release();
	}

	void print_and_archive()
	{
		printer.acquire();
		scanner.acquire();
		pages += 2;
		scanner.release();
		printer.release();
	}
};

int main()
{
	devices d;
	std::thread other([&] { d.copy(); });
	d.print_and_archive();
	other.join();
	return d.pages == 3 ? 0 : 1;
}
