package dev.medley.api.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the agents of one user on this machine: one as a rule, several where a cluster is tried on
 * one machine. Workers with all of its cores each would wait for each other's threads in every
 * kernel: three with two threads on two cores took nine times as long for a step as with one.
 *
 * <p>Each holds a lock on a file, in a folder for all of them, that is named by the cores that it
 * may use. A file that nobody holds was left by an agent that is gone. Where the folder cannot be
 * had, each counts as the only one.
 *
 * <p>Thread: the agent's, but for {@link #close}.
 */
final class AgentsHere implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentsHere.class);
    private static final Pattern NAME = Pattern.compile("agent-\\d+-(\\d+)\\.lock");

    /** Files of this process: whoever opens and closes one of these lets go of its lock (fcntl). */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final IntSupplier processors;
    private int cores; // By which the others know this one.
    private volatile @Nullable FileChannel held;
    private volatile @Nullable Path file;

    /**
     * Nobody is there yet.
     *
     * @param folder that all agents look into
     * @param processors that this process may use at the moment
     */
    AgentsHere(Path folder, IntSupplier processors) {
        this.folder = folder;
        this.processors = processors;
        this.cores = processors.getAsInt();
    }

    /** In the folder for temporary files. */
    static AgentsHere ofThisUser() {
        String user = System.getProperty("user.name", "user").replaceAll("\\W", "_");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return new AgentsHere(
                temporary.resolve("medley-agents-" + user),
                Runtime.getRuntime()::availableProcessors);
    }

    /** From now on this one counts. */
    void enter() {
        try {
            Files.createDirectories(folder);
            Path unseen = Files.createTempFile(folder, "agent-", "-" + cores + ".new");
            FileChannel channel = FileChannel.open(unseen, StandardOpenOption.WRITE);
            held = channel;
            channel.lock(); // Before others see the file, who would take it away.
            String name = unseen.getFileName().toString().replace(".new", ".lock");
            Path seen = folder.resolve(name);
            OWN.add(seen);
            file = seen;
            Files.move(unseen, seen, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.debug("{} cannot be used: this agent counts as alone", folder, e);
        }
    }

    /**
     * Threads for a worker of this agent, which may use more or less by now than when it began.
     *
     * @param coresOfMachine that all agents share, whatever each may use
     */
    int threads(int coresOfMachine) {
        int now = processors.getAsInt();
        if (now != cores) {
            close();
            cores = now;
            enter();
        }
        return share(cores, all(), coresOfMachine);
    }

    /** How many agents are there; 1 where nobody knows. */
    int count() {
        return Math.max(1, all().size());
    }

    /**
     * Of an agent with {@code own} cores, where agents may use {@code all} of a machine's cores:
     * its own ones if there are as many, or else a part of the machine's in proportion, 1 at least.
     */
    static int share(int own, List<Integer> all, int coresOfMachine) {
        long wanted = all.stream().mapToLong(cores -> cores).sum();
        return wanted <= coresOfMachine
                ? own
                : Math.max(1, (int) ((long) own * coresOfMachine / wanted));
    }

    /** The cores that each may use. */
    private List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Matcher name = NAME.matcher(each.getFileName().toString());
                if (name.matches() && (OWN.contains(each) || isHeld(each))) {
                    all.add(Integer.parseInt(name.group(1)));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} cannot be read: this agent counts as alone", folder, e);
        }
        return all;
    }

    private static boolean isHeld(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                Files.deleteIfExists(file);
            }
            return lock == null;
        } catch (NoSuchFileException e) {
            return false; // Its agent has just left.
        }
    }

    @Override
    public void close() {
        FileChannel channel = held;
        Path seen = file;
        try {
            if (seen != null) {
                Files.deleteIfExists(seen);
                OWN.remove(seen);
            }
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("the lock goes with the process", e);
        }
    }
}
