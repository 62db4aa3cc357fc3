/* Two threads allocate on one arena.
 * build: g++ -std=c++17 -g -O1 -pthread -o protobuf protobuf.cc -lprotobuf
 */
#include "two.h"
#include <google/protobuf/wrappers.pb.h>
#include <google/protobuf/arena.h>
static google::protobuf::Arena *ar;
static void *f(void *a)
{
	auto *m = google::protobuf::Arena::CreateMessage<google::protobuf::Int64Value>(ar);
	m->set_value((long)a);
	assert(m->value() == (long)a);
	return 0;
}

int main()
{
	ar = new google::protobuf::Arena;
	TWO(f);
	delete ar;
}
