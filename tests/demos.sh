#!/bin/bash
# Every demo: its bug is found, in the right place, and its recording replays. DEMO_REPLAYS=1000 for the long version.
exec "$(dirname "$0")/../demos/run.sh" --quiet --replays "${DEMO_REPLAYS:-5}"
