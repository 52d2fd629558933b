package dev.medley.net.link;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.route.RelayChoice;
import dev.medley.base.time.Clock;

/**
 * Checks that a member answers at the address that it advertises, before anything depends on it.
 */
public final class Reach {
    /** Of no group: every listener answers at once that it is over. */
    private static final int NO_EPOCH = -1;

    private Reach() {}

    /**
     * Dials a member as for a link: connects, comes to TLS where links are to be secured, says
     * hello, and waits for the answer. Where neither of the two can be dialled, the relay is
     * dialled that would join them: each of the two looks at its own half of the way.
     *
     * @param listener of the member that dials
     * @param group with the addresses of all
     * @param rank who dials
     * @param peer who is dialled
     * @param timeoutNs longest wait for all of it
     * @return empty if the peer (or the relay) answered; else one sentence that names it and says
     *     what was wrong
     */
    public static String check(
            LinkListener listener, Group group, int rank, int peer, Clock clock, long timeoutNs) {
        RelayChoice relays = RelayChoice.of(group);
        int dialled = relays.between(rank, peer).orElse(peer);
        Member answering = group.members().get(dialled);
        if (!answering.isDialled()) {
            return "neither %s nor %s can be dialled: both are behind NAT"
                    .formatted(group.members().get(rank).worker(), answering.worker());
        }
        Group nobodys = new Group(NO_EPOCH, group.members());
        long deadlineNs = clock.awakeNs() + timeoutNs;
        Joining joining =
                new Joining(listener, nobodys, relays, rank, clock, deadlineNs, () -> false);
        try {
            greet(joining, peer, dialled);
            return "";
        } catch (FaultSignal signal) {
            Fault fault = signal.fault();
            if (fault.kind() == Fault.Kind.SEALED) {
                return "";
            }
            return clock.awakeNs() < deadlineNs
                    ? fault.message()
                    : "no answer from %s at %s:%d within %.1f s"
                            .formatted(
                                    answering.worker(),
                                    answering.address(),
                                    answering.dataPort(),
                                    timeoutNs / 1e9);
        }
    }

    private static void greet(Joining joining, int peer, int dialled) throws FaultSignal {
        if (dialled == peer) {
            try (Link link = joining.dial(peer, Lane.CONTROL)) {
                joining.awaitWelcome(link, peer);
            }
        } else {
            try (Detour detour = Detour.begin(joining, peer, dialled, Lane.CONTROL)) {
                detour.awaitRelay();
            }
        }
    }
}
