package dev.medley.plan.simulator.round;

import dev.medley.base.round.Grace;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Simulates rounds that do not wait for all workers (docs/local-steps.md). A worker that is done
 * tells all others. When a quorum has, the others begin only batches that fit into the grace, as
 * the product's own {@link Grace} says, and hand over what they have. A worker that is in a batch
 * when the grace ends gives nothing to this sum: it finishes its batch, and begins the next round
 * from there. The workers that have told are counted once for each site, since all of one hear it
 * at the same time.
 */
public final class QuorumRounds implements RoundActivity {
    private static final double LETTER_BYTES = 64;

    private final EventQueue events;
    private final Fabric fabric;
    private final QuorumSpec spec;
    private final int quorum;
    private final int innerBatch;
    private final LateSamples behind;
    private final List<Mate> mates = new ArrayList<>();
    private final int[] told;
    private final double[] quorumNs;
    private long round;
    private long summed;
    private List<Long> dealt = List.of();

    /**
     * Rounds of all workers.
     *
     * @param innerBatch samples that a worker takes at once
     * @param owed samples that the group before left behind
     */
    public QuorumRounds(
            EventQueue events, Fabric fabric, QuorumSpec spec, int innerBatch, long owed) {
        this.events = events;
        this.fabric = fabric;
        this.spec = spec;
        this.quorum = spec.workers(fabric.size());
        this.innerBatch = innerBatch;
        this.behind = new LateSamples(spec, fabric.size(), owed);
        for (int rank = 0; rank < fabric.size(); rank++) {
            mates.add(new Mate(rank));
        }
        told = new int[fabric.sites().sites()];
        quorumNs = new double[told.length];
    }

    @Override
    public void begin(List<Integer> shares) {
        round++;
        dealt = behind.dealt(shares);
        Arrays.fill(told, 0);
    }

    @Override
    public void take(Turn turn, DoubleConsumer done) {
        mates.get(turn.rank()).begin(turn, done);
    }

    @Override
    public void end() {
        summed = behind.after(mates.stream().map(Mate::row).toList());
    }

    @Override
    public double freeNs(int rank) {
        return mates.get(rank).batchEndNs;
    }

    @Override
    public int taken(int rank, int share) {
        return (int) mates.get(rank).taken;
    }

    @Override
    public double summed(double ofShares) {
        return summed;
    }

    @Override
    public long behind() {
        return behind.samples();
    }

    /** Whether a rank took all that was its own in the round, in time. */
    boolean isWhole(int rank) {
        LateSamples.Row row = mates.get(rank).row();
        return !row.isLate() && row.taken() == row.due();
    }

    /** One that is done tells all; its own connection carries a letter to each. */
    private void tell(int rank) {
        double now = events.nowNs();
        int here = fabric.siteOf(rank);
        double all = LETTER_BYTES * (fabric.size() - 1);
        double left = fabric.exchanged(rank, now, all, all);
        for (int site = 0; site < told.length; site++) {
            int there = site;
            int ears = fabric.sites().at(site).size();
            double crossed =
                    site == here
                            ? left
                            : fabric.between(here, site).send(now, LETTER_BYTES * ears, ears);
            double heard = Math.max(left, crossed) + fabric.wayNs(here, site, LETTER_BYTES);
            events.at(heard, () -> heard(there));
        }
    }

    private void heard(int site) {
        if (++told[site] == quorum) {
            quorumNs[site] = events.nowNs();
            fabric.sites().at(site).forEach(rank -> mates.get(rank).watch());
        }
    }

    private enum State {
        /** Its part is over, or not begun. */
        CLOSED,
        OPEN,
        /** It has given nothing, and is in its last batch. */
        LATE
    }

    /** One worker in a round. */
    private final class Mate {
        private final int rank;
        private final int site;
        private State state = State.CLOSED;
        private Turn turn;
        private DoubleConsumer done = ns -> {};
        private double beganNs;
        private int steps;
        private int step;
        private long taken;
        private boolean isLate;
        private double computeNs;
        private double batchNs;
        private double batchEndNs;

        Mate(int rank) {
            this.rank = rank;
            site = fabric.siteOf(rank);
            turn = new Turn(rank, 0, 0, () -> 0);
        }

        void begin(Turn next, DoubleConsumer whenDone) {
            turn = next;
            done = whenDone;
            beganNs = events.nowNs();
            steps = next.steps() + (int) ((dealt.get(rank) + innerBatch - 1) / innerBatch);
            step = 0;
            taken = 0;
            isLate = false;
            computeNs = 0;
            batchNs = 0;
            batchEndNs = 0;
            state = State.OPEN;
            next();
            watch();
        }

        LateSamples.Row row() {
            return new LateSamples.Row(turn.samples() + dealt.get(rank), taken, isLate);
        }

        private void next() {
            if (step == steps || !goesOn()) {
                state = State.CLOSED;
                fabric.processor(rank).rest();
                tell(rank);
                done.accept(computeNs);
                return;
            }
            double now = events.nowNs();
            double part = samples(step) * turn.steps() / (double) turn.samples();
            double wallNs = turn.stepNs().getAsDouble() * part;
            batchEndNs = fabric.processor(rank).compute(now, wallNs);
            batchNs = batchEndNs - now;
            events.at(batchEndNs, this::taken);
        }

        /** Before the quorum is there, nobody has to decide. */
        private boolean goesOn() {
            if (told[site] < quorum) {
                return true;
            }
            long since = (long) (events.nowNs() - quorumNs[site]);
            int size = mates.size();
            return Grace.decide(told[site], quorum, size, since, graceNs(), (long) batchNs)
                    .goesOn();
        }

        private long graceNs() {
            return spec.graceNs((long) (quorumNs[site] - beganNs));
        }

        private void taken() {
            taken += samples(step++);
            computeNs += batchNs;
            if (state == State.LATE) {
                state = State.CLOSED;
                fabric.processor(rank).rest();
            } else {
                next();
            }
        }

        /** Its own are cut evenly into its steps; what it takes over goes behind them. */
        private long samples(int number) {
            int own = turn.steps();
            if (number < own) {
                return (long) turn.samples() * (number + 1) / own
                        - (long) turn.samples() * number / own;
            }
            long before = (long) (number - own) * innerBatch;
            return Math.min(innerBatch, dealt.get(rank) - before);
        }

        /** Waits for the end of the grace, where that is known. */
        void watch() {
            if (state == State.OPEN && told[site] >= quorum) {
                long ofRound = round;
                double atNs = quorumNs[site] + graceNs();
                events.at(Math.max(events.nowNs(), atNs), () -> ended(ofRound));
            }
        }

        /** Its batch does not end in time: nothing is given, and nobody waits for it. */
        private void ended(long ofRound) {
            if (state == State.OPEN && round == ofRound && batchEndNs > events.nowNs()) {
                state = State.LATE;
                isLate = true;
                done.accept(computeNs + batchNs);
            }
        }
    }
}
