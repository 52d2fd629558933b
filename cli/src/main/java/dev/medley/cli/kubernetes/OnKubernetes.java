package dev.medley.cli.kubernetes;

import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.kubernetes.resource.ProgressStatus;
import dev.medley.kubernetes.submit.ClusterJobs;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Hands a job to a cluster and shows how far it is, until it ends or the user has seen enough. */
public final class OnKubernetes {
    private static final int LOOKS_BEFORE_DOUBT = 20;

    private final Terminal terminal;
    private final KubernetesOptions options;
    private final CountDownLatch left = new CountDownLatch(1);
    private String said = "";

    /** Prints to {@code terminal}. */
    public OnKubernetes(Terminal terminal, KubernetesOptions options) {
        this.terminal = terminal;
        this.options = options;
    }

    /** The exit code. */
    public int train(Path file, List<String> settings) {
        try (ClusterAccess cluster = ClusterAccess.usual(options.context())) {
            ClusterJobs jobs = new ClusterJobs(cluster);
            MedleyJob job = options.job(file, settings, cluster.namespace());
            jobs.create(job);
            terminal.say(
                    "MedleyJob %s is created; it goes on without this command (Ctrl-C leaves it)"
                            .formatted(job.path()));
            try (Interrupts interrupts =
                    Interrupts.listen(terminal)
                            .saying(
                                    "It goes on: kubectl get mj -n %s %s -w"
                                            .formatted(job.namespace(), job.name()))) {
                interrupts.runIs(left::countDown);
                return follow(jobs, job);
            }
        }
    }

    private int follow(ClusterJobs jobs, MedleyJob job) {
        int looks = 0;
        try {
            while (!left.await(1, TimeUnit.SECONDS)) {
                looks++;
                try {
                    MedleyJobStatus status = jobs.status(job);
                    JobPhaseName phase = status.phase();
                    say(phase == null && looks > LOOKS_BEFORE_DOUBT ? unseen() : words(status));
                    if (phase != null && (phase.isEnd() || phase == JobPhaseName.Refused)) {
                        return code(phase);
                    }
                } catch (ClusterJobs.AwayException e) {
                    say(e.getMessage() + "; the job goes on, asking again");
                }
            }
        } catch (ClusterJobs.GoneException e) {
            terminal.say(String.valueOf(e.getMessage()));
            return ExitCode.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.INTERRUPTED;
    }

    private static int code(JobPhaseName phase) {
        return switch (phase) {
            case Completed -> ExitCode.DONE;
            case Refused -> ExitCode.INPUT;
            default -> ExitCode.FAILED;
        };
    }

    private static String unseen() {
        return "no operator has looked at it yet; is one running? (medley kubernetes install)";
    }

    /** A line where something is new, not one a second. */
    private void say(String words) {
        if (!words.equals(said)) {
            said = words;
            terminal.say(words);
        }
    }

    private static String words(MedleyJobStatus status) {
        if (status.phase() == null) {
            return "waits for the operator";
        }
        String words = status.phase() + ": " + status.message();
        ProgressStatus progress = status.progress();
        if (progress == null || progress.step() == null || status.phase().isEnd()) {
            return words;
        }
        StringBuilder more = new StringBuilder(words);
        more.append("; step ").append(progress.step());
        if (progress.done() != null) {
            more.append(", ").append(progress.done()).append(" done");
        }
        if (progress.loss() != null) {
            more.append(", loss ").append(progress.loss());
        }
        if (progress.samplesPerSecond() != null) {
            more.append(", ").append(progress.samplesPerSecond()).append(" samples/s");
        }
        return more.toString();
    }
}
