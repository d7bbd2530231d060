#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What becomes of perf record's options. A stand-in for perf writes down how it was called; the kernel
# and the PMU are those of a made-up tree.
. "$(dirname "$0")/lib/tap.sh"
need_migstat

# A perf that answers the questions record asks, and keeps the command line of its recording.
# FAKE_STAT: what `perf stat` prints for the group; FAKE_SINGLE: for one event; FAKE_RC: of stat.
cat >"$T_TMP/perf" <<-'EOS'
	#!/bin/bash
	perf_options()
	{
		echo "--event --count --newer-than-us --compression-level --timestamp --all-cgroups" \
			"--tail-synthesize --delay --max-size --quiet --clockid --mmap-pages --verbose --dry-run"
	}
	case "$1 $2" in
	"record --dry-run")
		[ -z "${FAKE_REGROUPS:-}" ] || echo "WARNING: events were regrouped to match PMUs" >&2
		;;
	"version --build-options")
		echo "perf version 6.1.0"
		[ -z "${FAKE_BUILD:-}" ] || echo "$FAKE_BUILD"
		;;
	"record --list-opts")
		perf_options
		;;
	"stat "*)
		case "$*" in
		*"{sched:sched_switch"*) printf '%b' "${FAKE_STAT:-CPU0|5||x|1000|100.00||\n}" >&2 ;;
		*) printf '%b' "${FAKE_SINGLE:-CPU0|5||x|1000|100.00||\n}" >&2 ;;
		esac
		exit "${FAKE_RC:-0}"
		;;
	"record -q")
		exit "${FAKE_SAMPLING_RC:-0}"
		;;
	"record "*)
		printf '%s\n' "$@" >"$FAKE_ARGS"
		[ -n "${FAKE_NO_FILE:-}" ] || echo data >"${FAKE_OUT:-perf.data}"
		exit "${FAKE_RECORD_RC:-0}"
		;;
	esac
EOS
chmod +x "$T_TMP/perf"
export PERF=$T_TMP/perf FAKE_ARGS=$T_TMP/args

# make_root DIR TRACEFS EVENT...: a tree with these tracepoints and two CPUs
make_root()
{
	local root=$1 tracefs=$2 ev

	shift 2
	mkdir -p "$root/sys/devices/system/cpu" "$root/proc/sys/kernel" "$root/$tracefs/events/sched"
	echo 0-1 >"$root/sys/devices/system/cpu/online"
	echo "MemAvailable: 8000000 kB" >"$root/proc/meminfo"
	for ev; do
		mkdir -p "$root/$tracefs/events/$ev"
		echo 1 >"$root/$tracefs/events/$ev/id"
	done
}

sched="sched/sched_switch sched/sched_waking sched/sched_wakeup sched/sched_wakeup_new
	sched/sched_migrate_task sched/sched_process_fork sched/sched_process_exec sched/sched_process_exit"
# shellcheck disable=SC2086
make_root "$T_TMP/root" sys/kernel/tracing $sched irq/softirq_entry irq/softirq_exit

# record ARG...: runs record with the stand-ins in $T_TMP; the line of perf is in $line, messages in $said
record()
{
	rm -f "$FAKE_ARGS" "$T_TMP"/perf.data
	said=$(cd "$T_TMP" && "$PERF_MIGSTAT" record --sysroot "${ROOT:-$T_TMP/root}" "$@" 2>&1)
	rc=$?
	line=
	[ ! -e "$FAKE_ARGS" ] || line=$(tr '\n' ' ' <"$FAKE_ARGS")
}

group='[{]sched:sched_switch/call-graph=no/,cache-misses/call-graph=no/,cpu-migrations/call-graph=no/[}]:S'

record -- cmd -x
t_is "a plain recording ends well" "$rc" 0
t_is "and says nothing of its own" "$said" ""
t_like "system-wide, with times in the group reads" "$line" '^record -a -s '
t_like "16 MiB of ring a CPU" "$line" "-m $((16777216 / $(getconf PAGESIZE))) "
t_like "the miss event and cpu-migrations are in the group of sched_switch" "$line" "-e $group "
t_like "a kernel chain on sched_waking" "$line" '--kernel-callchains .*-e sched:sched_waking/call-graph=fp/ '
t_like "and on nothing else" "$(grep -c 'call-graph=fp' "$FAKE_ARGS")" '^1$'
t_unlike "no sched_wakeup beside sched_waking" "$line" 'sched_wakeup/'
t_like "softirqs are filtered" "$line" 'softirq_entry/call-graph=no/ --filter vec==7 -e irq:softirq_exit/call-graph=no/ --filter vec==7'
t_unlike "events the kernel lacks are left out" "$line" 'numa|setaffinity'
t_unlike "neither -c nor -F" "$line" ' -(c|F)'
t_like "the command comes last, as it is" "$line" ' -- cmd -x $'

record --wakeup --no-wake-chain -- cmd
t_like "--wakeup" "$line" '-e sched:sched_wakeup/call-graph=no/ '
t_like "--no-wake-chain" "$line" '-e sched:sched_waking/call-graph=no/ '
t_unlike "--no-wake-chain: no chains at all" "$line" 'kernel-callchains'

record --anatomy -- cmd
t_like "--anatomy: sched_wakeup" "$line" '-e sched:sched_wakeup/call-graph=no/ '
t_unlike "--anatomy: no event that the kernel lacks" "$line" 'ipi|irq_vectors|cpu_idle'
t_like "--anatomy: says which, and what it means" "$said" \
	'^Warning: --anatomy: no event ipi:ipi_send_cpu here: select and ipi will be part of later terms'
t_is "--anatomy: all four" "$(grep -c '^Warning: --anatomy' <<<"$said")" 4
# shellcheck disable=SC2086
make_root "$T_TMP/ipis" sys/kernel/tracing $sched ipi/ipi_send_cpu irq_vectors/reschedule_entry \
	irq_vectors/call_function_single_entry power/cpu_idle
ROOT=$T_TMP/ipis record --anatomy -- cmd
anatomy='-e ipi:ipi_send_cpu/call-graph=no/ -e irq_vectors:reschedule_entry/call-graph=no/'
anatomy+=' -e irq_vectors:call_function_single_entry/call-graph=no/ -e power:cpu_idle/call-graph=no/ '
t_like "--anatomy: IPIs and idle states" "$line" "$anatomy"
t_is "--anatomy: nothing is missing" "$said" ""
ROOT=$T_TMP/ipis record -- cmd
t_unlike "they are recorded on request only" "$line" 'ipi|irq_vectors|cpu_idle'

record -g -- cmd
t_unlike "-g: the chains are not the kernel's alone" "$line" 'kernel-callchains'
t_like "-g reaches the user's events" "$line" '--call-graph=fp '
t_like "-g says what it costs" "$said" '^Warning: call chains'
record --call-graph dwarf,4096 -- cmd
t_like "--call-graph dwarf reaches sched_waking" "$line" 'sched_waking/call-graph=dwarf,stack-size=4096/ '

record -z3 -T --all-cgroups --no-tail-synthesize -D 100 --max-size=1M -qk mono -o f.data -m 64 -- cmd
t_like "the rest passes, one word each" "$line" \
	' --compression-level=3 --timestamp --all-cgroups --no-tail-synthesize --delay=100 --max-size=1M --quiet --clockid=mono -o f.data --mmap-pages=64 -- cmd'
t_is "-m of the user is the only one" "$(grep -cE '^(-m|--mmap-pages.*)$' "$FAKE_ARGS")" 1
record --all-cg -as -- cmd
t_like "a unique beginning of a name is enough" "$line" ' --all-cgroups -- '
t_is "-a and -s are ours already" "$(grep -cE '^-(a|s)$' "$FAKE_ARGS")" 2

record -e cycles:u,cpu/event=0x3c/ -T --filter 'x > 1' -e sched:foo --filter 'y == 2' -- cmd
t_like "ours, the user's events with their filters, the rest" "$line" \
	'-e cycles:u,cpu/event=0x3c/ --filter x > 1 -e sched:foo --filter y == 2 --timestamp -- cmd'
record -e 'cycles:u,{cache-misses,cpu/event=0x3c/}:S,cpu-clock/period=7/' -c 1000 -- cmd
t_like "-c binds to the user's events" "$line" \
	'-e cycles/period=1000/u,[{]cache-misses/period=1000/,cpu/event=0x3c,period=1000/[}]:S,cpu-clock/period=7/ '
record -F 99 -e cycles -- cmd
t_like "-F binds to the user's events, also before them" "$line" '-e cycles/freq=99/ '
record -c 1 -- cmd
t_is "-c 1, the habit with tracepoints, is taken" "$rc" 0
record --exclude-perf -e cycles --exclude-perf -- cmd
t_is "--exclude-perf binds to an event of the user's only" "$(grep -c exclude-perf "$FAKE_ARGS")" 1

record -p $$,1 -- cmd a
t_like "-p with a command: both in the workload" "$line" " -- [^ ]*/perf-migstat --workload --filter-pid $$,1 -- cmd a \$"
t_unlike "-p is no option of the recording" "$line" ' (-p|--pid)'
record -p $$
t_like "-p alone: until it exits" "$line" " -- [^ ]*/perf-migstat --wait-pids $$ \$"
mkdir -p "$T_TMP/root/sys/fs/cgroup/a/b"
record -t $$ -u root -G a/b
t_like "-t -u -G; users as numbers, and the processes they have" "$line" \
	" -- [^ ]*/perf-migstat --workload --filter-tid $$ --filter-uid 0 --filter-user-pid [0-9,]*[0-9] --filter-cgroup a/b \$"
t_like "-G: with the cgroups of the samples" "$line" ' --all-cgroups '
record -G a/c
t_like "-G of a cgroup that is not there" "$said" '^Error: -G a/c: there is no cgroup a/c'
record
t_unlike "nothing: no workload" "$line" ' -- '

record --newer-than-us=5 -- cmd
t_like "an option that only the installed perf knows passes" "$line" ' --newer-than-us=5 '

# wrong usage: one line, 129
refused()
{
	local name=$1 regex=$2

	shift 2
	record "$@"
	t_is "$name: exit code" "$rc" 129
	t_is "$name: one line" "$(wc -l <<<"$said")" 1
	t_like "$name: says why" "$said" "$regex"
}
refused "unknown option" 'unknown option --nosuch' --nosuch
refused "unknown to perf, too" 'neither perf migstat record nor perf record 6.1.0' --nosuch=3 cmd
refused "ambiguous" 'is it --no-buildid or --no-buil' --no-buil
refused "ambiguous after --no-" 'is it --.* or --' --no-c
refused "--no- of what has an argument" 'unknown option' --no-output
refused "missing argument" '-o needs an argument' -o
refused "argument too many" '--timestamp takes no argument' --timestamp=3
refused "-c without -e" '-c needs an event of your own.*--miss-sample' -c 100 cmd
refused "-F without -e" '-F needs an event of your own' -F 99 cmd
refused "-c on a tracepoint" 'does not thin a tracepoint' -e sched:foo -c 2 cmd
refused "--filter without -e" '--filter binds to the -e before it' --filter 'a==1' cmd
refused "-p of nobody" 'there is no task 99999999' -p 99999999
refused "-p not a number" 'numbers with commas' -p abc
refused "-u of nobody" "there is no user 'no-such-user'" -u no-such-user
for opt in --per-thread --all-user --all-kernel --user-callchains --group -b -n -S; do
	refused "$opt" "^perf migstat record: $opt: .*(;|, use)" $opt cmd
done
refused "five miss events" 'at most 4' --miss-event a,b,c,d,e cmd

refused "not in this perf" 'perf record 6.1.0 has no option --kcore' --kcore cmd

# the PMU
unsupported='CPU0|<not supported>||cache-misses|0|100.00||\n'
FAKE_SINGLE=$unsupported record -- cmd
t_like "no such event: one warning" "$said" '^Warning: cache-misses: the PMU has no such event; recording wakeups and moves without'
t_like "no such event: the recording goes on" "$line" '[{]sched:sched_switch/call-graph=no/,cpu-migrations/call-graph=no/[}]:S'
t_is "no such event: exit code" "$rc" 0
FAKE_SINGLE=$unsupported record -q -- cmd
t_is "-q: not a word" "$said" ""
FAKE_SINGLE='event syntax error: "foo"\n \\___ parser error\n' FAKE_RC=129 record --miss-event foo -- cmd
t_like "an event perf does not know: in its words" "$said" '^Error: perf says: event syntax error: "foo": parser error'
t_is "an event perf does not know: exit code" "$rc" 129

FAKE_STAT='CPU0|<not counted>||x|0|0.00||\n' record -- cmd
t_like "a group that does not fit: says so" "$said" 'cannot be counted at every switch: the counters for it never came free; sampling it instead'
t_like "a group that does not fit: sampled" "$line" '[{]sched:sched_switch/call-graph=no/,cpu-migrations/call-graph=no/[}]:S -e cache-misses/freq=997,call-graph=no/ '
FAKE_STAT='CPU0|7||x|500|51.20||\n' record -- cmd
t_like "a multiplexed group: says so" "$said" 'part of the time only'
echo 1 >"$T_TMP/root/proc/sys/kernel/nmi_watchdog"
FAKE_STAT='CPU0|7||x|500|51.20||\n' record -- cmd
t_like "names the watchdog where it is on" "$said" 'sysctl kernel.nmi_watchdog=0'
FAKE_STAT='Invalid argument\n' FAKE_SAMPLING_RC=255 record -- cmd
t_like "a refused group on a PMU that cannot sample: without misses" "$said" 'the kernel refuses the group; recording without misses'
t_unlike "and no miss event is left" "$line" 'cache-misses'

record --miss-sample=5000 --miss-event cache-misses:u -- cmd
t_like "--miss-sample=PERIOD" "$line" '-e cache-misses/period=5000,call-graph=no/u '
record --miss-event LLC-load-misses --miss-event page-faults,dTLB-load-misses -- cmd
t_like "--miss-event, repeated and a list" "$line" \
	',LLC-load-misses/call-graph=no/,page-faults/call-graph=no/,dTLB-load-misses/call-graph=no/,cpu-migrations/'
record --miss-event cpu-migrations -- cmd
t_is "cpu-migrations is not taken twice" "$(grep -o cpu-migrations "$FAKE_ARGS" | wc -l)" 1

record --miss-event sched:no_such -- cmd
t_like "no such tracepoint: the cure" "$said" "^Hint: perf list 'sched:"
mkdir -p "$T_TMP/root/sys/kernel/tracing/events/exceptions/page_fault_user"
echo 1 >"$T_TMP/root/sys/kernel/tracing/events/exceptions/page_fault_user/id"

# a perf that breaks up groups of tracepoints and software counters
FAKE_REGROUPS=1 record -- cmd
t_is "a hardware event holds the group together" "$said" ""
t_like "a hardware event holds the group together: nothing changes" "$line" "-e $group "
FAKE_REGROUPS=1 record --miss-event page-faults,exceptions:page_fault_user -- cmd
t_like "software counters outside of the group" "$line" \
	'-e [{]sched:sched_switch/call-graph=no/,exceptions:page_fault_user/call-graph=no/[}]:S -e page-faults/freq=997,call-graph=no/ -e cpu-migrations/period=1,call-graph=no/ '
t_like "software counters outside of the group: says so" "$said" '^Warning: page-faults is sampled.*perf 6.1.0 breaks up groups.*exceptions:page_fault_user'
FAKE_REGROUPS=1 FAKE_SINGLE=$unsupported record -- cmd
t_like "no member left: no group" "$line" '-e sched:sched_switch/call-graph=no/ -e cpu-migrations/period=1,call-graph=no/ '

# other machines
# shellcheck disable=SC2086
make_root "$T_TMP/debug" sys/kernel/debug/tracing ${sched/sched\/sched_waking/}
ROOT=$T_TMP/debug record -- cmd
t_is "tracefs below debugfs only" "$rc" 0
t_like "no sched_waking: sched_wakeup instead" "$line" '-e sched:sched_wakeup/call-graph=no/ '
make_root "$T_TMP/none" none
ROOT=$T_TMP/none record -- cmd
t_is "no tracefs: fails" "$rc" 1
t_like "no tracefs: names both places" "$said" '/sys/kernel/tracing: .*/sys/kernel/debug/tracing: '
t_like "no tracefs: names the cure" "$said" '^Hint: mount -t tracefs'
mkdir -p "$T_TMP/root/sys/bus/event_source/devices/cpu_core" "$T_TMP/root/sys/bus/event_source/devices/cpu_atom"
record -- cmd
t_like "two hardware PMUs: sampled" "$said" 'two kinds of CPU.*sampling it instead'
t_like "two hardware PMUs: ungrouped" "$line" '-e cache-misses/freq='
record --miss-event page-faults -- cmd
t_is "two hardware PMUs do not matter to a software event" "$said" ""
rm -r "$T_TMP/root/sys/bus"
echo 0-255 >"$T_TMP/root/sys/devices/system/cpu/online"
record -- cmd
t_like "256 CPUs, 8 GB: smaller rings" "$line" "-m $((1048576 / $(getconf PAGESIZE))) "
echo 0-199999 >"$T_TMP/root/sys/devices/system/cpu/online"
record -- cmd
t_like "too many files: the number" "$said" '^Error: [0-9]+ events on 200000 CPUs need [0-9]+ open files'
t_like "too many files: the cure" "$said" '^Hint: ulimit -Hn [0-9]+'
echo 0-1 >"$T_TMP/root/sys/devices/system/cpu/online"

# perf itself
FAKE_BUILD='   libtraceevent: [ OFF ]  # HAVE_LIBTRACEEVENT' record -- cmd
t_like "a perf without libtraceevent is told before" "$said" '^Error: .*without libtraceevent'
FAKE_RECORD_RC=7 record -- cmd
t_is "perf's exit code passes through" "$rc" 7
FAKE_NO_FILE=1 record -o perf.data -- cmd
t_is "no recording though perf ended well: failed" "$rc" 1
t_like "no recording: says so" "$said" 'ended well but left no perf.data'
FAKE_NO_FILE=1 record -o perf.data --dry-run -- cmd
t_is "--dry-run: no recording is no failure" "$rc" 0
record -v -- cmd
t_like "-v prints the command line" "$said" "^[^ ]*/perf record -a -s .* '[{]sched:sched_switch.*[}]:S' .* -- cmd\$"
PERF=$T_TMP/nosuch record -- cmd
t_like "no such perf: says so" "$said" '^Error: PERF=.*: no program'
said=$(env -u PERF PATH="$T_TMP/empty" "$PERF_MIGSTAT" record -- cmd 2>&1)
t_like "no perf at all: the cure" "$said" '^Hint: install it'
t_done
