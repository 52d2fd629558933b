package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.route.SiteMap;
import dev.medley.base.time.Clock;
import dev.medley.exchange.peer.Bursts;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.FoundSites;
import dev.medley.exchange.route.LinkRates;
import dev.medley.exchange.route.LinkSurvey;
import dev.medley.exchange.route.MachineMap;
import dev.medley.exchange.route.ProbeRounds;
import dev.medley.exchange.route.RoundTrips;
import dev.medley.net.link.FaultSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Measures the paths between the machines of a group while it forms. All members first ping all
 * others a few times; then pairs that do not disturb each other send {@linkplain Bursts bursts}, in
 * rounds. All hear all results, so all decide alike. Later groups of this process know the paths
 * that were probed within the last ten minutes, and probe the others again: links change. Where a
 * run waits for it, no round begins after three seconds; paths that were not probed then are
 * assumed, and probed when the next group forms.
 *
 * <p>Thread: the one that forms.
 */
final class Surveying {
    /** The shortest of some round trips counts: others may have waited for a busy process. */
    private static final int FEWEST_PINGS = 3;

    private static final int MOST_PINGS = 20;
    private static final long PINGING_NS = 100_000_000;

    /** No pair begins a brief probe after so long: a run wants to begin. */
    private static final long BRIEF_NS = 3_000_000_000L;

    /** The age from which a measurement is repeated when a group forms. */
    static final long LASTING_NS = 600_000_000_000L;

    private static final String LATE = "late";

    private record Rate(long bytesPerSecond, long sinceNs) {}

    private final ExchangeOptions.Survey thoroughness;
    private final Clock clock;

    /** Bytes per second that reached this process, by the key of the machine they came from. */
    private final Map<String, Rate> known = new HashMap<>();

    Surveying(ExchangeOptions.Survey thoroughness, Clock clock) {
        this.thoroughness = thoroughness;
        this.clock = clock;
    }

    /** Forgets all paths: they may be others by now. */
    void forget() {
        known.clear();
    }

    /** Surveys the paths; the message of a fault meanwhile names the probe. */
    LinkSurvey survey(Peers all, SiteMap declared, MachineMap machines) throws FaultSignal {
        try {
            return surveyed(all, declared, machines);
        } catch (FaultSignal signal) {
            Fault fault = signal.fault();
            if (fault.kind() == Fault.Kind.SEALED) {
                throw signal;
            }
            String when = fault.message() + ", while the ways between machines were probed";
            throw new FaultSignal(new Fault(fault.kind(), fault.who(), when));
        }
    }

    private LinkSurvey surveyed(Peers all, SiteMap declared, MachineMap machines)
            throws FaultSignal {
        RoundTrips trips =
                RoundTrips.heard(
                        said(
                                all,
                                RoundTrips.say(pings(all)),
                                row -> RoundTrips.isSound(row, all.size())));
        List<List<Long>> us = LinkSurvey.machineTrips(machines, trips);
        FoundSites found = FoundSites.of(us);
        long nowNs = clock.nowNs();
        LinkRates rates = rates(all, machines, nowNs);
        ProbeRounds wanted = rounds(declared, machines, found).only(pair -> !rates.knows(pair));
        long untilNs = thoroughness == ExchangeOptions.Survey.BRIEF ? BRIEF_NS : Long.MAX_VALUE;
        long beginNs = clock.nowNs();
        boolean isInTime = true;
        for (int i = 0; i < wanted.rounds().size() && isInTime; i++) {
            probe(all, machines, us, wanted.rounds().get(i));
            boolean isLate = clock.nowNs() - beginNs > untilNs;
            isInTime = !all.vote(isLate ? LATE : "").contains(LATE);
        }
        LinkRates complete = wanted.rounds().isEmpty() ? rates : rates(all, machines, nowNs);
        return new LinkSurvey(machines, trips, complete, found);
    }

    private LinkRates rates(Peers all, MachineMap machines, long nowNs) throws FaultSignal {
        List<String> rows =
                said(
                        all,
                        LinkRates.say(known(machines, nowNs)),
                        row -> LinkRates.isSound(row, machines.size()));
        return LinkRates.heard(rows, machines);
    }

    /** What all say, this rank too; who says what cannot be is at fault, not who hears it. */
    private static List<String> said(Peers all, String own, Predicate<String> isSound)
            throws FaultSignal {
        List<String> rows = all.vote(own);
        for (int rank = 0; rank < rows.size(); rank++) {
            if (!isSound.test(rows.get(rank))) {
                String what = all.name(rank) + " told of ways what nobody can have measured";
                throw all.fault(Fault.Kind.PEER, rank, what);
            }
        }
        return rows;
    }

    private long[] pings(Peers all) throws FaultSignal {
        int most = thoroughness == ExchangeOptions.Survey.NONE ? FEWEST_PINGS : MOST_PINGS;
        return all.ping(FEWEST_PINGS, most, PINGING_NS);
    }

    private ProbeRounds rounds(SiteMap declared, MachineMap machines, FoundSites found) {
        List<Integer> siteOf =
                declared.sites() == 1
                        ? found.siteOf()
                        : machines.leaders().stream().map(declared::siteOf).toList();
        return switch (thoroughness) {
            case NONE -> new ProbeRounds(List.of());
            case BRIEF -> ProbeRounds.brief(siteOf);
            case WHOLE -> ProbeRounds.whole(siteOf);
        };
    }

    /** One round; after it all wait for all, so that the next pairs find the paths quiet. */
    private void probe(
            Peers all, MachineMap machines, List<List<Long>> us, List<ProbeRounds.Pair> round)
            throws FaultSignal {
        for (ProbeRounds.Pair pair : round) {
            int one = machines.leader(pair.one());
            int other = machines.leader(pair.other());
            if (all.rank() == one || all.rank() == other) {
                int peer = all.rank() == one ? other : one;
                long roundTripNs = us.get(pair.one()).get(pair.other()) * 1_000;
                long rate = new Bursts(all, clock).exchange(peer, roundTripNs);
                known.put(
                        machines.keys().get(machines.machineOf().get(peer)),
                        new Rate(rate, clock.nowNs()));
            }
        }
    }

    private Map<Integer, Long> known(MachineMap machines, long nowNs) {
        known.values().removeIf(rate -> nowNs - rate.sinceNs() > LASTING_NS);
        Map<Integer, Long> rates = new HashMap<>();
        for (int machine = 0; machine < machines.size(); machine++) {
            Rate rate = known.get(machines.keys().get(machine));
            if (rate != null && rate.bytesPerSecond() > 0) {
                rates.put(machine, rate.bytesPerSecond());
            }
        }
        return rates;
    }
}
