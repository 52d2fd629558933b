package dev.medley.spark.cluster;

import dev.medley.api.agent.AgentRun;
import dev.medley.api.agent.InProcessWorkers;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.agent.AgentOptions.Stay;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers an executor to a run for as long as that lasts: an agent and its worker, as threads of the
 * executor.
 *
 * <p>Thread: the task's.
 */
final class WorkerTask implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(WorkerTask.class);

    private static final String LOOPBACK = "127.0.0.1";

    /** What JavaCPP counts against the heap's limit; LibTorch's memory is not of the heap. */
    private static final String MOST_BYTES = "org.bytedeco.javacpp.maxBytes";

    private final TaskOrder order;

    WorkerTask(TaskOrder order) {
        this.order = order;
    }

    /** To the end of the run; an exception where this executor could not take part. */
    void run(int number) throws IOException, InterruptedException {
        if (System.getProperty(MOST_BYTES) == null) {
            System.setProperty(MOST_BYTES, "0");
        }
        SparkBlas.load();
        TaskContext task = TaskContext.get();
        Path folder = Files.createTempDirectory(localFolder(), "medley-");
        HeldData rows = order.rows();
        try {
            if (rows != null) {
                rows.enter(task);
            }
            offer(options(folder, number), task);
        } finally {
            if (rows != null) {
                rows.leave();
            }
            AtomicFolder.delete(folder);
        }
    }

    private void offer(AgentOptions options, TaskContext task)
            throws InterruptedException, IOException {
        AgentRun agent =
                AgentRun.of(
                        options,
                        new InProcessWorkers(),
                        sentence -> LOG.info("{}: {}", options.name(), sentence));
        task.addTaskCompletionListener((TaskCompletionListener) ended -> agent.leave());
        if (!agent.run() && !task.isInterrupted()) {
            throw new IOException("the run went on without this executor");
        }
    }

    private AgentOptions options(Path folder, int number) throws IOException {
        String identity = order.identity();
        Path credentials = identity == null ? null : credentials(folder, identity);
        return new AgentOptions(
                new InetSocketAddress(InetAddress.getByName(order.host()), order.port()),
                credentials,
                at -> order.token(),
                "executor-" + SparkEnv.get().executorId() + "-" + number,
                "",
                credentials == null ? LOOPBACK : null,
                null,
                PortRange.ANY,
                folder,
                false,
                Stay.UNTIL_DONE);
    }

    private Path credentials(Path folder, String identity) throws IOException {
        Path own = folder.resolve("credentials");
        Files.createDirectory(
                own,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        RunSecrets.write(own, order.token(), identity);
        return own;
    }

    /** Where Spark keeps what executors write, which it takes away with them. */
    private static Path localFolder() throws IOException {
        Path folder = SparkEnv.get().blockManager().diskBlockManager().localDirs()[0].toPath();
        return Files.createDirectories(folder);
    }
}
