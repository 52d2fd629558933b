package dev.medley.spark.cluster;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.agent.SharedIdentity;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunOptions.Offers;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.PreparedData;
import dev.medley.net.door.FreePort;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job with the executors of a Spark application as its machines. The coordinator is the
 * driver. Where executors are on other machines, all speak TLS with a certificate that is made for
 * this run; on one machine they keep to the loopback.
 *
 * <p>Thread: the caller's.
 */
public final class SparkRun {
    /** A setting of the application: where the driver listens for workers; any free port else. */
    public static final String PORT = "spark.medley.driver.port";

    private static final String PRIVATE = "rwx------";

    private final JavaSparkContext spark;
    private final ExecutorWishes wishes;
    private @Nullable Slots slots;

    /** On the executors of that application, which has begun. */
    public SparkRun(JavaSparkContext spark, ExecutorWishes wishes) {
        this.spark = spark;
        this.wishes = wishes;
    }

    /**
     * Complains where the application cannot run it, before anything else is done there.
     *
     * @throws dev.medley.base.ConfigException if there are too few slots, or its executors do not
     *     see Medley
     */
    public void require() {
        Slots unused = required();
    }

    private Slots required() {
        Slots known = slots;
        if (known == null) {
            known = Slots.of(spark, wishes);
            known.require(wishes);
            Probe.require(spark, wishes.least());
            slots = known;
        }
        return known;
    }

    /**
     * Trains to the end of the run.
     *
     * @param given the rows of a DataFrame; null to prepare what the job names
     * @param rows who holds them; null with {@code given}
     * @throws dev.medley.base.ConfigException if the application has too few slots, its executors
     *     do not see Medley, or the job's input is at fault
     */
    public RunResult train(
            JobSpec job,
            @Nullable PreparedData given,
            @Nullable HeldData rows,
            RunOptions options,
            RunProgress progress) {
        Slots slots = required();
        try {
            Path secrets =
                    Files.createTempDirectory(
                            "medley-spark-",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString(PRIVATE)));
            try {
                return train(job, given, rows, options, progress, slots, secrets);
            } finally {
                AtomicFolder.delete(secrets);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RunResult train(
            JobSpec job,
            @Nullable PreparedData given,
            @Nullable HeldData rows,
            RunOptions options,
            RunProgress progress,
            Slots slots,
            Path secrets)
            throws IOException {
        String token = decoded(SharedIdentity.token()).strip();
        String identity = slots.isLocal() ? null : SharedIdentity.certificate(Clock.system());
        RunSecrets.write(secrets, token, identity);
        String host = slots.isLocal() ? "127.0.0.1" : driverHost();
        int port = port();
        JoinSpec at =
                JoinSpec.at((slots.isLocal() ? host : "0.0.0.0") + ":" + port)
                        .withTokenFile(secrets.resolve(JoinCredentials.TOKEN).toString());
        JoinSpec join =
                slots.isLocal()
                        ? at
                        : at.withCredentials(secrets.toString()).encrypting(encrypted(job));
        ClusterSpec joining = job.cluster().joining(join).with(wishes.least(), slots.threads());
        JobSpec placed = job.with(joining);
        WorkerTask task =
                new WorkerTask(new TaskOrder(host, port, token, identity, job.name(), rows));
        String group = "medley-" + port + "-" + token.substring(0, 8);
        try (Begun tasks = new Begun(progress, () -> begun(task, group, slots))) {
            return JobRun.train(placed, given, options.offeredBy(Offers.EXECUTORS), tasks);
        }
    }

    /** Begins tasks when the coordinator is about to listen, and ends them with the run. */
    private static final class Begun extends RunProgress.HandedOn implements AutoCloseable {
        private final Supplier<AutoCloseable> beginning;
        private @Nullable AutoCloseable tasks;

        Begun(RunProgress progress, Supplier<AutoCloseable> beginning) {
            super(progress);
            this.beginning = beginning;
        }

        @Override
        public void interruptible(RunProgress.Interruptible run) {
            super.interruptible(run);
            tasks = beginning.get();
        }

        @Override
        public void close() {
            try {
                if (tasks != null) {
                    tasks.close();
                }
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private AutoCloseable begun(WorkerTask task, String group, Slots slots) {
        if (wishes.launcher() == ExecutorWishes.Kind.BARRIER) {
            BarrierStage stage = new BarrierStage(spark, group);
            stage.begin(task, wishes.least());
            return stage;
        }
        LongTasks tasks = new LongTasks(spark, group, slots.profile());
        tasks.begin(task, wishes.most());
        return tasks;
    }

    /** What trees exchange travels as Spark's own shuffles do. */
    private static JoinSpec.Encrypt encrypted(JobSpec job) {
        return job.model() instanceof ModelSpec.Trees
                ? JoinSpec.Encrypt.NONE
                : JoinSpec.Encrypt.ALL;
    }

    private String driverHost() {
        return spark.getConf()
                .get("spark.driver.host", InetAddress.getLoopbackAddress().getHostName());
    }

    private int port() throws IOException {
        int wanted = spark.getConf().getInt(PORT, 0);
        check(wanted >= 0 && wanted < 65536, "%s=%d: from 0 to 65535", PORT, wanted);
        if (wanted > 0) {
            return wanted;
        }
        return FreePort.find();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
    }
}
