// Two nodes of a flow graph with one message.
// verdict: complete
#include <cassert>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	int seen = 0;
	tbb::flow::graph g;
	tbb::flow::function_node<int, int> twice(g, tbb::flow::serial, [](int n) { return 2 * n; });
	tbb::flow::function_node<int> last(g, tbb::flow::serial, [&](int n) { seen = n; });
	tbb::flow::make_edge(twice, last);
	twice.try_put(3);
	g.wait_for_all();
	assert(seen == 6);
}
