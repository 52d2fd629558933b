package dev.medley.cli.fleet.study;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.Units;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.share.SharePolicies;
import dev.medley.fleet.simulation.FleetSimulation;
import dev.medley.fleet.simulation.HubSimulation;
import dev.medley.fleet.simulation.SimulationOptions;
import dev.medley.fleet.simulation.SimulationResult;
import dev.medley.fleet.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what scheduling policies would make of many jobs on machines that differ. */
@Command(
        name = "simulate",
        header = "Say what scheduling policies would make of a trace of jobs.",
        description = {
            "",
            "Plays a trace of jobs on a fleet, on virtual time, under one policy after the other:",
            "completion times, waiting, use of machines, cost and time to decide. Policies, and"
                    + " the",
            "columns of a trace: docs/scheduling.md."
        },
        footer = {
            "",
            "CLUSTER is 36:36:36 (V100, P100, K80), big=4,small=12, or a file in YAML or JSON:",
            "  currency: USD",
            "  machines:",
            "    - {name: big, count: 4, price_per_hour: 2.5}",
            "    - {name: small, count: 12, price_per_hour: 0.4}",
            "",
            "A trace:",
            "  job,arrival_s,kind,workers,work,rate_big,rate_small",
            "  0,0,resnet,1,100000,12.5,3.1",
            "  1,42.5,transformer,2,500000,40,0",
            "",
            "Examples:",
            "  medley fleet simulate cluster.yaml trace.csv --policy fifo,las_aware,index --out"
                    + " report.html",
            "  medley fleet simulate 36:36:36 jobs.csv.gz --throughputs t.json.gz --rate 4.8"
                    + " --jobs 4000-4999"
        })
public final class FleetSimulateCommand extends Options implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "CLUSTER", description = "The fleet's machines.")
    private String cluster = "";

    @Parameters(
            index = "1",
            paramLabel = "TRACE",
            description = "The jobs: a CSV file, which may be packed as .gz.")
    private Path trace = Path.of("");

    @Option(
            names = "--throughputs",
            paramLabel = "FILE",
            description = "TRACE is of Gavel's generator; its table of steps a second, in JSON.")
    private @Nullable Path throughputs;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description = "Policies to compare. Default: ${DEFAULT-VALUE}.")
    private List<String> policies = List.of("fifo_fastest", "las_aware", "index");

    @Option(
            names = "--rate",
            paramLabel = "JOBS_PER_HOUR",
            description = "How many jobs come in an hour, on average; 0 for all at once.")
    private @Nullable String rate;

    @Option(
            names = "--jobs",
            paramLabel = "FROM-TO",
            description = "Jobs that count; the simulation ends when they have ended.")
    private @Nullable String jobs;

    @Option(
            names = "--round-s",
            paramLabel = "S",
            description = "Seconds between decisions. Default: ${DEFAULT-VALUE}.")
    private double roundS = 360;

    @Option(
            names = "--restart-s",
            paramLabel = "S",
            description = "Seconds that a job loses when its machines change.")
    private double restartS;

    @Option(
            names = "--hold-s",
            paramLabel = "S",
            description =
                    "Seconds for which shares of time stay at least, though jobs come and end."
                            + " Default: ${DEFAULT-VALUE}, Gavel's.")
    private double holdS = SharePolicies.GAVEL_RESET_S;

    @Option(
            names = "--hub",
            description =
                    "Decide as a hub does: on each arrival and end, with its own orders, and jobs"
                            + " that just began left where they are.")
    private boolean asHub;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the results as JSON; - prints them in place of the table.")
    private @Nullable Path json;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the table and its plots as one HTML file.")
    private @Nullable Path out;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public FleetSimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        requireFolder("--out", out);
        requireFolder("--json", json);
        check(holdS >= 0, "--hold-s %s: give 0 or more", holdS);
        List<Policy> asked = policies.stream().map(name -> Policies.named(name, holdS)).toList();
        FleetFile.Machines machines = FleetFile.read(cluster);
        TraceQuestion question = TraceQuestion.of(trace, throughputs, rate, jobs);
        SimulationOptions options = question.options(roundS, restartS);
        List<TraceJob> all = question.jobs(machines.types());
        List<SimulationResult> runs = new ArrayList<>();
        List<PolicyResult> results = new ArrayList<>();
        for (Policy policy : asked) {
            terminal.live(policy.name() + "…");
            TimedPolicy timed = new TimedPolicy(policy, Clock.system());
            SimulationResult run =
                    asHub
                            ? HubSimulation.run(
                                    machines.types(), all, Policies.inHub(timed), options)
                            : FleetSimulation.run(machines.types(), all, timed, options);
            runs.add(run);
            results.add(PolicyResult.of(run, timed));
        }
        terminal.endLive();
        String title = "%s on %s".formatted(trace.getFileName(), cluster);
        show(new FleetReport(title, machines.currency(), runs, results), results, all.size());
        return ExitCode.DONE;
    }

    private void show(FleetReport report, List<PolicyResult> results, int jobsOfTrace) {
        String text = Json.pretty(results);
        if (json != null && json.toString().equals("-")) {
            terminal.print(text.stripTrailing());
        } else {
            report.lines().forEach(terminal::print);
        }
        if (json != null && !json.toString().equals("-")) {
            try {
                Files.writeString(json, text);
            } catch (IOException e) {
                throw new ConfigException(json + " cannot be written: " + e.getMessage(), e);
            }
            terminal.say("results: " + json);
        }
        if (out != null) {
            String about =
                    "%s jobs; rounds of %s s, %s s lost where machines change"
                            .formatted(Units.count(jobsOfTrace), plain(roundS), plain(restartS));
            terminal.say("report: " + report.write(out, about));
        }
    }

    private static String plain(double s) {
        return s == Math.rint(s) ? String.valueOf((long) s) : String.valueOf(s);
    }

    private static void requireFolder(String option, @Nullable Path file) {
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        check(
                folder == null || Files.isDirectory(folder),
                "%s %s: there is no folder %s",
                option,
                file,
                folder);
    }
}
