package dev.medley.serving.route;

import dev.medley.serving.load.LoadEstimate;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.route.PrequalChoice.Chosen;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a router knows of one server.
 *
 * <p>Thread: whoever holds the table's lock; its name and address: any.
 */
final class RoutedReplica {
    private final ReplicaAddress address;
    private final String name;
    private final LoadEstimate seen = new LoadEstimate();

    private ReplicaState state = ReplicaState.NEW;
    private String why = "not asked yet";
    private long sinceNs;
    private boolean hasLoad = true;
    private @Nullable LoadReport report;
    private boolean isProbing;
    private boolean wasProbed;
    private long probedNs;
    private boolean isStranger;
    private int missed;
    private int lost;
    private long answers;
    private long failures;
    private @Nullable Chosen chosen;
    private String chosenWhy = "";

    RoutedReplica(ReplicaAddress address) {
        this.address = address;
        name = address.toString();
    }

    /** Where it is. */
    ReplicaAddress address() {
        return address;
    }

    /** Its address, as people write it. */
    String name() {
        return name;
    }

    /** Requests of this router. */
    LoadEstimate seen() {
        return seen;
    }

    ReplicaState state() {
        return state;
    }

    String why() {
        return why;
    }

    /** Whether it tells its load; until it was asked it is believed to. */
    boolean hasLoad() {
        return hasLoad;
    }

    /** Its load as far as this router sees it. */
    ReplicaLoad seenLoad(long nowNs) {
        return new ReplicaLoad(name, seen.inFlight(), seen.latencyNs(nowNs));
    }

    void chosen(@Nullable Chosen now, String otherwise) {
        chosen = now;
        chosenWhy = otherwise;
    }

    boolean mayProbe(long nowNs, long gapNs) {
        return !isProbing && (!wasProbed || nowNs - probedNs >= gapNs);
    }

    void probing(long nowNs) {
        isProbing = true;
        wasProbed = true;
        probedNs = nowNs;
    }

    void isAlive(ReplicaState now, @Nullable LoadReport itsReport, long nowNs) {
        isProbing = false;
        missed = 0;
        isStranger = false;
        hasLoad = itsReport != null;
        report = itsReport;
        become(now, "", nowNs);
    }

    /** Whether something answers there that serves no models. */
    boolean isStranger() {
        return isStranger;
    }

    void strange(boolean isIt) {
        isStranger = isIt;
    }

    /** Counts a probe that was not answered; how many in a row that makes. */
    int missed() {
        isProbing = false;
        return ++missed;
    }

    /** Counts a request whose connection broke; how many in a row that makes. */
    int lost() {
        return ++lost;
    }

    void become(ReplicaState now, String itsWhy, long nowNs) {
        if (state != now) {
            sinceNs = nowNs;
        }
        state = now;
        why = itsWhy;
        if (now == ReplicaState.OUT) {
            hasLoad = true; // Another program may come back there.
            report = null;
        }
    }

    void countAnswer() {
        answers++;
        lost = 0;
    }

    void countFailure() {
        failures++;
    }

    ReplicaView view(long nowNs) {
        LoadReport known = report;
        return new ReplicaView(
                name,
                state,
                why,
                (nowNs - sinceNs) / 1e9,
                seen.inFlight(),
                known == null ? null : known.in_flight(),
                (known == null ? seen.latencyNs(nowNs) / 1000 : known.latency_us()) / 1e3,
                answers,
                failures,
                chosen == null ? chosenWhy : chosen.why());
    }
}
