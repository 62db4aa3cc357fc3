// Virtual calls of every shape, casts, pointers to members, covariance, thunks.
#include "case.h"

#include <memory>
#include <typeinfo>
#include <vector>

static uint64_t count;
struct Shape { virtual ~Shape() { count++; } virtual double area() const = 0; virtual Shape *clone() const = 0; int tag = 1; };
struct Named { virtual ~Named() { count += 2; } virtual const char *name() const { return "named"; } int other = 2; };
struct Top { virtual ~Top() {} int top = 3; virtual int where() { return top; } };
struct Left : virtual Top { int left = 4; int where() override { return left + top; } };
struct Right : virtual Top { int right = 5; virtual int more() { return right * top; } };
struct Bottom final : Left, Right, Named { int where() override { return left * 100 + right * 10 + top; } int more() override { return ++right; } const char *name() const override { return "bottom"; } };
struct Circle : Shape, Named { double r; explicit Circle(double x) : r(x) {} double area() const override { return 3 * r * r; } Circle *clone() const override { return new Circle(*this); } const char *name() const override { return "circle"; } };
struct Square : Named, Shape { double a; explicit Square(double x) : a(x) {} double area() const override { return a * a; } Square *clone() const override { return new Square(*this); } };

struct Counter {
	int n = 0;
	int up(int d) { return n += d; }
	int down(int d) { return n -= d; }
	virtual int either(int d) { return n ^= d; }
	virtual ~Counter() {}
	static int fixed(int d) { return d * 2; }
};

static NOINLINE double total(const std::vector<std::unique_ptr<Shape>> &v)
{
	double sum = 0;
	for (const auto &s : v) {
		sum += s->area() * s->tag;
		if (const Named *n = dynamic_cast<const Named *>(s.get()))
			sum += n->name()[0] + n->other;
	}
	return sum;
}

CASE(classes)
{
	std::vector<std::unique_ptr<Shape>> v;
	for (int i = 0; i < 50; i++)
		if (i % 3)
			v.emplace_back(new Circle(i * 0.5));
		else
			v.emplace_back(new Square(i));
	for (int i = 0; i < 50; i++)
		v.emplace_back(v[(size_t)i]->clone());
	printf("total %g\n", total(v));
	v.clear();
	Bottom b;
	Top *t = &b;
	Right *r = &b;
	Named *n = &b;
	printf("bottom %d %d %s %d\n", t->where(), r->more() + r->where(), n->name(), dynamic_cast<Left *>(t)->left);
	printf("same %d %d\n", dynamic_cast<Bottom *>(n) == &b, dynamic_cast<Shape *>(n) == nullptr);
	printf("type %d\n", typeid(*t) == typeid(Bottom));
	int (Counter::*members[])(int) = {&Counter::up, &Counter::down, &Counter::either};
	Counter c;
	uint64_t h = 0;
	for (int i = 0; i < 99; i++)
		h = mix(h, (uint64_t)(c.*members[i % 3])(i) + (uint64_t)Counter::fixed(i));
	int Counter::*field = &Counter::n;
	result("members", mix(h, (uint64_t)(c.*field)));
	printf("count %llu\n", (unsigned long long)count);
}
