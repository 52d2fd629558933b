package dev.medley.control.failure;

import dev.medley.control.launcher.Launcher.Exit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps how workers' processes ended, by launch. Two witnesses report an end, the connection and
 * the operating system, in any order, and neither knows all. An exit is judged when the connection
 * has closed, since what the worker sent before its end is still on its way until then. A lost
 * worker is replaced when its exit is known, since the exit tells why it ended and whether that
 * would happen again. Owned by the coordinator's agent.
 */
public final class ProcessEnds {
    /** A killed process ends at once, unless its machine does not answer. */
    private static final long EXIT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Integer, Exit> early = new HashMap<>();
    private final Set<Integer> lostAsMembers = new HashSet<>();
    private final Set<Integer> judged = new HashSet<>();
    private final Map<Integer, Long> awaitedUntilNs = new HashMap<>();

    /** The process has ended, and its connection is still open. */
    public void keep(Exit exit) {
        early.put(exit.launch(), exit);
    }

    /** The exit that was kept, for its judgement; null if there was none. */
    @Nullable
    public Exit take(int launch) {
        return early.remove(launch);
    }

    /** The exit is known; whether the worker's replacement waited for that. */
    public boolean judged(int launch) {
        judged.add(launch);
        return awaitedUntilNs.remove(launch) != null;
    }

    /**
     * The worker is lost; whether its exit is to be waited for, until {@code nowNs} and a while.
     */
    public boolean await(int launch, long nowNs) {
        if (judged.contains(launch)) {
            return false;
        }
        awaitedUntilNs.put(launch, nowNs + EXIT_NS);
        return true;
    }

    /** Launches whose exits have not come in time; they are not waited for any more. */
    public List<Integer> overdue(long nowNs) {
        List<Integer> overdue =
                awaitedUntilNs.entrySet().stream()
                        .filter(awaited -> nowNs > awaited.getValue())
                        .map(Map.Entry::getKey)
                        .toList();
        overdue.forEach(awaitedUntilNs::remove);
        return overdue;
    }

    /** The connection closed while the worker was a member of the group. */
    public void lostAsMember(int launch) {
        lostAsMembers.add(launch);
    }

    /** Whether it was a member when it was lost. */
    public boolean wasMember(int launch) {
        return lostAsMembers.contains(launch);
    }
}
