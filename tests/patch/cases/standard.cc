// The standard library as it comes out of headers: containers, sorting, functions, variants, strings, streams.
#include "case.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct Row { int key; std::string name; double weight; };

static NOINLINE uint64_t sorts(unsigned n)
{
	std::vector<Row> rows;
	uint32_t x = 7;
	for (unsigned i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		rows.push_back({(int)(x >> 20), "row" + std::to_string(x % 997), x / 3.0});
	}
	std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return std::tie(a.key, a.name) < std::tie(b.key, b.name); });
	std::stable_sort(rows.begin(), rows.begin() + n / 2, [](const Row &a, const Row &b) { return a.weight < b.weight; });
	std::nth_element(rows.begin(), rows.begin() + n / 3, rows.end(), [](const Row &a, const Row &b) { return a.name < b.name; });
	std::vector<int> v(n);
	std::iota(v.begin(), v.end(), 1);
	std::make_heap(v.begin(), v.end(), std::greater<int>());
	std::partial_sort(v.begin(), v.begin() + 20, v.end(), [n](int a, int b) { return a * 7919u % n < b * 7919u % n; });
	uint64_t h = mix_bytes(0, v.data(), 20 * sizeof(int));
	h = mix_bytes(h, rows[n / 3].name.data(), rows[n / 3].name.size());
	return mix(h, (uint64_t)rows[0].key);
}
static NOINLINE uint64_t containers()
{
	std::map<std::string, int> m;
	std::unordered_map<int, std::list<int>> u;
	std::set<std::pair<int, int>> s;
	std::deque<int> d;
	for (int i = 0; i < 500; i++) {
		m[std::to_string(i * i % 301)] += i;
		u[i % 37].push_front(i);
		s.insert({i % 11, i % 13});
		if (i & 1) d.push_back(i); else d.push_front(i);
		if (i % 5 == 0) { d.pop_back(); u[i % 17].remove_if([i](int x) { return x * 3 < i; }); }
		if (i % 7 == 0) m.erase(std::to_string(i % 301));
	}
	uint64_t h = s.size() + d.size();
	for (const auto &[k, v] : m)
		h = mix_bytes(mix(h, (uint64_t)v), k.data(), k.size());
	for (int i = 0; i < 37; i++)
		h = mix(h, (uint64_t)std::accumulate(u[i].begin(), u[i].end(), 0));
	return std::accumulate(d.begin(), d.end(), h, [](uint64_t a, int b) { return mix(a, (uint64_t)b); });
}
static NOINLINE uint64_t functions()
{
	std::vector<std::function<int(int)>> f;
	int total = 0;
	std::string big(100, 'x');
	for (int i = 0; i < 20; i++) {
		f.push_back([i](int x) { return x + i; });
		f.push_back([&total, i](int x) { total += i; return total ^ x; });
		f.push_back([big, i](int x) { return (int)big.size() * x - i; });
	}
	f.push_back(std::bind(std::minus<int>(), std::placeholders::_1, 5));
	int x = 3;
	for (int round = 0; round < 10; round++)
		for (auto &g : f)
			x = g(x) & 0xffff;
	try {
		std::function<void()>()();
	} catch (std::bad_function_call &) {
		x++;
	}
	return (uint64_t)(x + total);
}
static NOINLINE uint64_t variants()
{
	std::vector<std::variant<int, double, std::string, std::vector<int>>> v;
	for (int i = 0; i < 40; i++)
		switch (i % 4) {
		case 0: v.emplace_back(i); break;
		case 1: v.emplace_back(i * 0.5); break;
		case 2: v.emplace_back(std::string((size_t)i, 'a')); break;
		default: v.emplace_back(std::vector<int>((size_t)i, i));
		}
	uint64_t h = 0;
	for (auto &e : v)
		h = mix(h, std::visit([](auto &x) -> uint64_t {
			using T = std::decay_t<decltype(x)>;
			if constexpr (std::is_arithmetic_v<T>) return (uint64_t)(x += 1);
			else { x.push_back(1); return x.size(); }
		}, e));
	std::optional<std::string> o;
	if (!o) o.emplace("there");
	return mix(h, o->size());
}

CASE(standard)
{
	result("sorts", sorts(3000));
	result("containers", containers());
	result("functions", functions());
	result("variants", variants());
	std::ostringstream out;
	out << "number " << 42 << ' ' << 2.5 << ' ' << std::hex << 255 << ' ' << true << "\n";
	std::istringstream in("17 3.25 word");
	int i; double d; std::string w;
	in >> i >> d >> w;
	printf("%s%d %g %s\n", out.str().c_str(), i, d, w.c_str());
}
