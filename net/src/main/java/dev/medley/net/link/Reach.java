package dev.medley.net.link;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Group;

/** Whether a member is reached where it says that it listens, before anything depends on it. */
public final class Reach {
    /** Of no group: every listener answers at once that it is over. */
    private static final int NO_EPOCH = -1;

    private Reach() {}

    /**
     * Dials a member as for a link: connects, comes to TLS where links are to be secured, says
     * hello, and waits for the answer.
     *
     * @param listener of the member that dials
     * @param group with the addresses of all
     * @param rank who dials
     * @param peer who is dialled
     * @param timeoutNs longest wait for all of it
     * @return empty if the peer answered; else one sentence that names it and says what was wrong
     */
    public static String check(
            LinkListener listener, Group group, int rank, int peer, Clock clock, long timeoutNs) {
        if (!group.members().get(peer).isDialled()) {
            return "neither %s nor %s can be dialled: both are behind NAT"
                    .formatted(
                            group.members().get(rank).worker(), group.members().get(peer).worker());
        }
        Group nobodys = new Group(NO_EPOCH, group.members());
        long deadlineNs = clock.nowNs() + timeoutNs;
        Joining joining = new Joining(listener, nobodys, rank, clock, deadlineNs, () -> false);
        try (Link link = joining.dial(peer, Lane.CONTROL)) {
            joining.awaitWelcome(link);
            return "";
        } catch (FaultSignal signal) {
            Fault fault = signal.fault();
            if (fault.kind() == Fault.Kind.SEALED) {
                return "";
            }
            return clock.nowNs() < deadlineNs
                    ? fault.message()
                    : "no answer from %s at %s:%d within %.1f s"
                            .formatted(
                                    fault.who(),
                                    group.members().get(peer).address(),
                                    group.members().get(peer).dataPort(),
                                    timeoutNs / 1e9);
        }
    }
}
