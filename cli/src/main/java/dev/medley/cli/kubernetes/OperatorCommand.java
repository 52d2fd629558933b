package dev.medley.cli.kubernetes;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.desired.OperatorDefaults;
import dev.medley.kubernetes.operator.OperatorOptions;
import dev.medley.kubernetes.operator.OperatorRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Runs the operator of MedleyJobs. */
@Command(
        name = "operator",
        header = "Bring about what MedleyJobs on a Kubernetes cluster say.",
        description = {
            "",
            "Finds the cluster as kubectl does: by KUBECONFIG, ~/.kube/config, or the account of"
                    + " its pod.",
            "Usually it is a Deployment there: 'medley kubernetes install' prints it, with the"
                    + " resource",
            "MedleyJob and the rights that it needs. It may be ended and started again at any time."
        },
        footer = {
            "",
            "Examples:",
            "  medley kubernetes install --image registry.example/medley:1.0 | kubectl apply -f -",
            "  medley operator --image registry.example/medley:1.0",
            "  medley operator --image registry.example/medley:1.0 --namespace team-a --namespace"
                    + " team-b"
        })
public final class OperatorCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            required = true,
            description = "Of pods whose job names none: Medley of this build, and a JDK.")
    private String image = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Look after jobs there alone; may be repeated (default: all).")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Of the kubeconfig (default: its current one).")
    private @Nullable String context;

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE",
            description =
                    "One operator at a time is at work, by a lease there (default: no lease, for a"
                            + " single one).")
    private String lease = "";

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Jobs looked after at the same time (default: ${DEFAULT-VALUE}).")
    private int threads = 8;

    @Option(
            names = "--health",
            paramLabel = "FOLDER",
            description =
                    "Write there, every ten seconds, 'alive', and 'ready' while it sees the API"
                            + " server: for probes of its pod.")
    private @Nullable Path health;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public OperatorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        OperatorOptions options =
                new OperatorOptions(
                        Set.copyOf(namespaces), OperatorDefaults.of(image), threads, lease, health);
        try (ClusterAccess cluster = ClusterAccess.usual(context);
                OperatorRun operator = OperatorRun.start(cluster, options, Clock.system())) {
            terminal.say(
                    "looks after MedleyJobs of %s at %s"
                            .formatted(
                                    namespaces.isEmpty()
                                            ? "all namespaces"
                                            : String.join(", ", namespaces),
                                    cluster.url()));
            end.await();
            Map<String, Long> writes = operator.writes();
            long sum = writes.values().stream().mapToLong(Long::longValue).sum();
            String each = writes.isEmpty() ? "" : " " + new TreeMap<>(writes);
            terminal.say("ends; jobs go on, %d writes were made%s".formatted(sum, each));
        }
        return ExitCode.DONE;
    }
}
