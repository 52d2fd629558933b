package dev.medley.cli.kubernetes;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.run.JobAddress;
import dev.medley.kubernetes.run.JobStatusSink;
import dev.medley.kubernetes.run.OwnRun;
import dev.medley.kubernetes.run.PodLease;
import dev.medley.kubernetes.run.ProgressSink;
import dev.medley.kubernetes.run.TrainerSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Coordinates a job's run in a pod: the process that the operator's Job starts. */
@Command(
        name = "pod-job",
        hidden = true,
        header = "Coordinate a run in a pod; the operator has it started.")
public final class PodJobCommand extends Options implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(PodJobCommand.class);

    /** Another pod may do better: as sysexits.h has it. */
    private static final int TRY_AGAIN = 75;

    @Parameters(index = "0", paramLabel = "JOB.yaml", description = "The job file.")
    private Path file = Path.of("");

    @Option(names = "--listen", paramLabel = "HOST:PORT", required = true)
    private String listen = "";

    @Option(names = "--expect-file", paramLabel = "FILE", required = true)
    private Path expect = Path.of("");

    @Option(names = "--credentials", paramLabel = "DIR", required = true)
    private Path credentials = Path.of("");

    @Option(names = "--runs", paramLabel = "DIR", required = true)
    private Path runs = Path.of("");

    @Option(names = "--resource", paramLabel = "NAMESPACE/NAME", required = true)
    private String resource = "";

    @Option(names = "--uid", paramLabel = "UID", required = true)
    private String uid = "";

    @Option(names = "--holder", paramLabel = "NAME", required = true)
    private String holder = "";

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE")
    private List<String> overrides = new ArrayList<>();

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public PodJobCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        JobAddress address = JobAddress.parse(resource);
        OwnRun own = new OwnRun(runs.resolve(address.name()), "MedleyJob " + address, uid);
        try (ClusterAccess cluster = ClusterAccess.usual(null);
                PodLease unused = lease(cluster, address)) {
            List<ProgressSink> sinks = new ArrayList<>();
            sinks.add(new JobStatusSink(cluster, address, uid));
            TrainerSink.of(System.getenv()).ifPresent(sinks::add);
            return coordinate(own, sinks, () -> PodRunStore.own(job(), address, uid));
        }
    }

    private int coordinate(OwnRun own, List<ProgressSink> sinks, Supplier<JobSpec> asked) {
        try {
            return new PodCoordinator(terminal, own, sinks).run(asked);
        } catch (ConfigException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("The run broke off", e);
            terminal.say("the run broke off: " + e);
            return ExitCode.UNEXPECTED;
        }
    }

    private PodLease lease(ClusterAccess cluster, JobAddress address) throws InterruptedException {
        return PodLease.take(
                cluster,
                address,
                uid,
                holder,
                terminal::say,
                () -> {
                    terminal.say("another coordinator may take the run: this one ends");
                    Runtime.getRuntime().halt(TRY_AGAIN);
                });
    }

    private JobSpec job() {
        return PodJobFile.read(file, expect, listen, credentials, overrides);
    }
}
