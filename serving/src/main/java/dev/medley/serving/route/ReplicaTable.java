package dev.medley.serving.route;

import dev.medley.base.ConfigException;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.route.PrequalChoice.Chosen;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds all that a router knows of its servers, and decides: whom to send a request, whom to probe,
 * who is out. It sends nothing itself, and takes the time as an argument.
 *
 * <p>Thread: any.
 */
final class ReplicaTable {
    /** Probes that are late in a row, by which a server is out. */
    private static final int LATE_IN_A_ROW = 2;

    private static final int LATE_IN_A_ROW_OF_LAST = 10;

    private final RouterSettings settings;
    private final RandomGenerator random;
    private final ProbePool pool;
    private final Map<String, RoutedReplica> replicas = new LinkedHashMap<>();
    private double probesOwed;

    /** Without servers; {@code random} says who is probed. */
    ReplicaTable(RouterSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
        pool = new ProbePool(settings);
    }

    /** Ways in which a probe gets no answer. */
    enum Miss {
        /** None came in time. */
        LATE,
        /** The server was not reached, or broke off. */
        UNREACHABLE,
        /** What came is no answer of a server of models. */
        STRANGE
    }

    /** A request on its way to a server. */
    record Sent(RoutedReplica replica, int asOne, long fromNs) {
        /** The server's name. */
        String name() {
            return replica.name();
        }
    }

    /** The servers from now on; what is known of those that stay is kept. */
    synchronized void replace(Collection<ReplicaAddress> addresses) {
        Map<String, RoutedReplica> now = new LinkedHashMap<>();
        for (ReplicaAddress address : addresses) {
            RoutedReplica known = replicas.get(address.toString());
            now.put(address.toString(), known == null ? new RoutedReplica(address) : known);
        }
        replicas.keySet().stream().filter(name -> !now.containsKey(name)).forEach(pool::remove);
        replicas.clear();
        replicas.putAll(now);
    }

    /**
     * Chooses a server and counts a request as sent to it.
     *
     * @param model that the request names; null where it is not known
     * @param tried servers that failed it before
     * @return null where no other answers
     */
    synchronized @Nullable Sent send(@Nullable String model, Set<String> tried, long nowNs) {
        List<RoutedReplica> able = able(tried);
        if (able.isEmpty()) {
            return null;
        }
        Map<String, ProbePool.Kept> probes = new LinkedHashMap<>();
        pool.fresh(nowNs).forEach(kept -> probes.put(kept.name(), kept));
        List<ReplicaLoad> loads = new ArrayList<>();
        List<RoutedReplica> among = new ArrayList<>();
        for (RoutedReplica each : able) {
            ProbePool.Kept kept = probes.get(each.name());
            if (kept != null) {
                loads.add(kept.now(each.seen().inFlight(), model));
                among.add(each);
            } else if (!each.hasLoad()) {
                loads.add(each.seenLoad(nowNs));
                among.add(each);
            }
        }
        if (among.isEmpty()) {
            RoutedReplica fewest = able.get(0);
            for (RoutedReplica each : able) {
                if (each.seen().inFlight() < fewest.seen().inFlight()) {
                    fewest = each;
                }
            }
            return begin(
                    fewest,
                    null,
                    fewest.name() + ", with the fewest requests of this router",
                    nowNs);
        }
        Chosen chosen = PrequalChoice.choose(loads, pool.hotAbove());
        RoutedReplica replica = among.get(chosen.index());
        pool.used(replica.name(), replicas.size());
        return begin(replica, chosen, "", nowNs);
    }

    /** Those of the best state that there is, but for those that were tried. */
    private List<RoutedReplica> able(Set<String> tried) {
        List<RoutedReplica> able = new ArrayList<>();
        for (RoutedReplica each : replicas.values()) {
            if (!each.state().answers() || tried.contains(each.name())) {
                continue;
            }
            if (!able.isEmpty() && each.state().compareTo(able.get(0).state()) < 0) {
                able.clear();
            }
            if (able.isEmpty() || able.get(0).state() == each.state()) {
                able.add(each);
            }
        }
        return able;
    }

    private static Sent begin(
            RoutedReplica replica, @Nullable Chosen chosen, String why, long nowNs) {
        replica.chosen(chosen, why);
        return new Sent(replica, replica.seen().begin(), nowNs);
    }

    /** It was answered. A refusal says nothing of how long an answer takes. */
    synchronized void answered(Sent sent, boolean isGood, long nowNs) {
        if (isGood) {
            sent.replica().seen().ended(sent.asOne(), nowNs - sent.fromNs(), nowNs);
        } else {
            sent.replica().seen().gone();
        }
        sent.replica().countAnswer();
    }

    /** Whether there is one that answers and was not tried. */
    synchronized boolean hasOther(Set<String> tried) {
        return !able(tried).isEmpty();
    }

    /** It ended without an answer that says how fast the server is. */
    synchronized void gone(Sent sent) {
        sent.replica().seen().gone();
        sent.replica().countFailure();
    }

    /** The server could not be reached or broke off: it is out until a probe is answered. */
    synchronized void broken(RoutedReplica replica, String why, long nowNs) {
        replica.become(ReplicaState.OUT, why, nowNs);
        pool.remove(replica.name());
    }

    /**
     * Servers to probe now, as a request came: some at random, none too often.
     *
     * <p>Each has to end in {@link #probed} or {@link #unanswered}.
     */
    synchronized List<RoutedReplica> probesOfRequest(long nowNs) {
        probesOwed = Math.min(replicas.size(), probesOwed + settings.probesPerRequest());
        if (probesOwed < 1) {
            return List.of();
        }
        List<RoutedReplica> due = new ArrayList<>();
        for (RoutedReplica each : replicas.values()) {
            if (each.hasLoad()
                    && each.state() != ReplicaState.OUT
                    && each.mayProbe(nowNs, settings.probeGapNs())) {
                due.add(each);
            }
        }
        while (due.size() > (int) probesOwed) {
            due.remove(random.nextInt(due.size()));
        }
        probesOwed -= (int) probesOwed;
        due.forEach(each -> each.probing(nowNs));
        return due;
    }

    /** The same for those that were not probed for a while, whether there are requests or not. */
    synchronized List<RoutedReplica> probesWhenIdle(long nowNs) {
        List<RoutedReplica> due = new ArrayList<>();
        for (RoutedReplica each : replicas.values()) {
            if (each.mayProbe(nowNs, settings.idleNs())) {
                each.probing(nowNs);
                due.add(each);
            }
        }
        return due;
    }

    /**
     * Whether a server that behaves oddly is to be probed at once: it is not, where it is just now.
     */
    synchronized boolean probeOfSuspect(RoutedReplica replica, long nowNs) {
        if (!replica.mayProbe(nowNs, 0)) {
            return false;
        }
        replica.probing(nowNs);
        return true;
    }

    /** A sentence for each server that is not ready. */
    synchronized List<String> troubles() {
        return replicas.values().stream()
                .filter(each -> each.state() != ReplicaState.READY)
                .map(each -> each.name() + " " + words(each))
                .toList();
    }

    /** How a server is, for people. */
    synchronized String words(RoutedReplica replica) {
        return switch (replica.state()) {
            case READY -> "answers";
            case NOT_READY -> "is not ready";
            case ENDING -> "is about to stop, and gets no more requests";
            case NEW -> "was not asked yet";
            case OUT -> "is out: " + replica.why();
        };
    }

    /**
     * A request was sent and the connection broke: the second in a row puts the server out, as one
     * may be of a connection that was closed for being idle.
     */
    synchronized void lost(Sent sent, String why, long nowNs) {
        gone(sent);
        if (sent.replica().lost() >= 2) {
            broken(sent.replica(), why, nowNs);
        }
    }

    /** A probe was answered. */
    synchronized void probed(RoutedReplica replica, LoadReport report, long nowNs) {
        replica.isAlive(stateOf(report.state()), report, nowNs);
        if (replicas.get(replica.name()) == replica) {
            pool.add(replica.name(), report, replica.seen().inFlight(), nowNs);
        }
    }

    /** A server that does not tell its load said whether it is ready. */
    synchronized void ready(RoutedReplica replica, boolean isReady, long nowNs) {
        replica.isAlive(isReady ? ReplicaState.READY : ReplicaState.NOT_READY, null, nowNs);
        pool.remove(replica.name());
    }

    /**
     * A probe was not answered. One that came too late may be so by chance; the second in a row is
     * not. Of the last server that is left more have to be late: there is nobody in its place, and
     * where all are late at once it is their machine or this one that has too much to do.
     *
     * @return whether the server is out by that
     */
    synchronized boolean unanswered(RoutedReplica replica, Miss miss, String why, long nowNs) {
        int most = hasOther(Set.of(replica.name())) ? LATE_IN_A_ROW : LATE_IN_A_ROW_OF_LAST;
        if (replica.missed() < most && miss == Miss.LATE && replica.state().answers()) {
            return false;
        }
        broken(replica, why, nowNs);
        replica.strange(miss == Miss.STRANGE);
        return true;
    }

    private static ReplicaState stateOf(String word) {
        return switch (word) {
            case LoadReport.READY -> ReplicaState.READY;
            case LoadReport.ENDING -> ReplicaState.ENDING;
            default -> ReplicaState.NOT_READY;
        };
    }

    /** All servers, in the order in which they were named. */
    synchronized List<ReplicaView> views(long nowNs) {
        List<ReplicaView> views = new ArrayList<>();
        replicas.values().forEach(each -> views.add(each.view(nowNs)));
        return views;
    }

    /**
     * Refuses programs that answer and serve no models.
     *
     * @throws ConfigException if there is one
     */
    synchronized void requireNoStranger() {
        for (RoutedReplica each : replicas.values()) {
            ConfigException.check(!each.isStranger(), "--to %s: %s", each.name(), each.why());
        }
    }

    /** Whether one answers at least. */
    synchronized boolean isReady() {
        return replicas.values().stream().anyMatch(each -> each.state().answers());
    }

    /** Why no server can be asked: each with what is the matter. */
    synchronized String missing(Set<String> tried) {
        List<String> each = new ArrayList<>();
        for (RoutedReplica replica : replicas.values()) {
            each.add(
                    replica.name()
                            + (tried.contains(replica.name()) && replica.state().answers()
                                    ? ": it failed this request"
                                    : ": " + replica.why()));
        }
        return "none of the %d servers can answer: %s"
                .formatted(each.size(), String.join("; ", each));
    }
}
