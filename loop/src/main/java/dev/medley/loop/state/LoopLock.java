package dev.medley.loop.state;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Holds a loop for one process, so that two never work at the same. The operating system, or the
 * database, gives it back when the process is gone, however it went.
 *
 * <p>Thread: one.
 */
public final class LoopLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopLock.class);
    private static final String HOLDER = "holder";

    private record Holder(String machine, long process, String since) {}

    private static final String KEY = "hashtextextended(?, 0)";

    private final @Nullable FileChannel channel;
    private final LoopState state;

    private LoopLock(LoopState state, @Nullable FileChannel channel) {
        this.state = state;
        this.channel = channel;
    }

    /**
     * Takes the loop of {@code state}.
     *
     * @param folder where the state is; null where it is in a database of its own
     * @throws ConfigException that names who holds it, where somebody does
     */
    public static LoopLock take(LoopState state, @Nullable Path folder, Instant now) {
        LoopLock lock = folder == null ? ofDatabase(state) : ofFolder(state, folder);
        Holder holder = new Holder(machine(), ProcessHandle.current().pid(), now.toString());
        state.remember(HOLDER, Json.tree(holder));
        return lock;
    }

    private static LoopLock ofFolder(LoopState state, Path folder) {
        Path file = folder.resolve("loop.lock");
        try {
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw held(state);
            }
            return new LoopLock(state, channel);
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be locked: %s".formatted(file, e), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // Another thread of this process has it.
        }
    }

    private static LoopLock ofDatabase(LoopState state) {
        List<Boolean> taken =
                state.query(
                        "SELECT pg_try_advisory_lock(" + KEY + ")",
                        row -> row.getBoolean(1),
                        key(state));
        if (!taken.get(0)) {
            throw held(state);
        }
        return new LoopLock(state, null); // A process that is killed loses it with its connection.
    }

    private static String key(LoopState state) {
        return "medley loop " + state.loop();
    }

    private static ConfigException held(LoopState state) {
        String who =
                state.fact(HOLDER)
                        .map(LoopLock::words)
                        .orElse("another process, which has not said its name yet");
        return new ConfigException(
                "loop %s runs already: %s holds %s; wait for it, or end it"
                        .formatted(state.loop(), who, state.where()));
    }

    private static String words(JsonNode fact) {
        Holder holder = Json.bind(fact, Holder.class);
        return "process %d on %s, since %s"
                .formatted(holder.process(), holder.machine(), holder.since());
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "a machine without a name";
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            } else {
                state.query(
                        "SELECT pg_advisory_unlock(" + KEY + ")",
                        row -> row.getBoolean(1),
                        key(state));
            }
        } catch (IOException | ConfigException e) {
            LOG.debug("a lock was not given back; the end of this process does it", e);
        }
    }
}
