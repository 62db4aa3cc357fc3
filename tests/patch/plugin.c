/* A library that the torture program loads; see cases/plugins.c. */
int plugin_value;
static int table[32];
static int twice(int x) { return table[x & 31] * 2; }
static int thrice(int x) { return table[x & 31] * 3; }
static int (*const steps[])(int) = {twice, thrice};

int plugin_run(int n, int (*callback)(int));
int plugin_run(int n, int (*callback)(int))
{
	int sum = 0;
	for (int i = 0; i < 32; i++)
		table[i] = i;
	for (int i = 0; i < n; i++) {
		plugin_value++;
		switch (i % 7) {
		case 0: sum += steps[i & 1](i); break;
		case 1: sum ^= callback(i); break;
		case 2: table[i & 31]++; break;
		case 3: sum -= table[3]; break;
		case 4: sum = sum * 3 + 1; break;
		case 5: table[5] += sum; break;
		default: sum++;
		}
	}
	return sum;
}
