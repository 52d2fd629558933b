package dev.medley.plan.simulator.step;

import dev.medley.base.round.FragmentSchedule;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.sum.Sums;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Simulates fragments of a round's change that travel while workers continue, by the schedule of a
 * run ({@link FragmentSchedule}). A fragment leaves after some inner steps, and is waited for where
 * it lands. A fragment that has not landed when the last step is done lands with the round.
 */
public final class Streaming implements RoundActivity {
    private final EventQueue events;
    private final Fabric fabric;
    private final Sums sums;
    private final List<Integer> ends;
    private final RoundSpec round;
    private final List<Flights> ofRank = new ArrayList<>();

    /** For a shape with fragments. */
    public Streaming(
            EventQueue events, Fabric fabric, Sums sums, StepShape shape, RoundSpec round) {
        this.events = events;
        this.fabric = fabric;
        this.sums = sums;
        this.ends = shape.fragmentEnds();
        this.round = round;
        for (int rank = 0; rank < fabric.size(); rank++) {
            ofRank.add(new Flights());
        }
    }

    @Override
    public void begin(List<Integer> shares) {
        ofRank.forEach(Flights::begin);
    }

    @Override
    public void take(Turn turn, DoubleConsumer done) {
        ofRank.get(turn.rank()).take(turn, done);
    }

    @Override
    public void summed(int rank, int slice) {
        if (slice < ends.get(ends.size() - 1)) {
            ofRank.get(rank).summed();
        }
    }

    /** One worker's fragments in a round. */
    private final class Flights {
        private FragmentSchedule schedule = new FragmentSchedule(List.of(), List.of());
        private int steps;
        private int left;
        private int landed;
        private int summedSlices;
        private double computeNs;
        private Runnable waiting = () -> {};

        void begin() {
            steps = 0;
            left = 0;
            landed = 0;
            summedSlices = 0;
            computeNs = 0;
        }

        void take(Turn turn, DoubleConsumer done) {
            schedule = FragmentSchedule.of(turn.steps(), round.syncEvery(), round.stream());
            next(turn, done);
        }

        void summed() {
            summedSlices++;
            Runnable goesOn = waiting;
            waiting = () -> {};
            goesOn.run();
        }

        /** What is due after the steps so far; then one more, or the end of the round. */
        private void next(Turn turn, DoubleConsumer done) {
            boolean isLast = steps == turn.steps();
            while (landed < ends.size()) {
                if (left == landed && schedule.leaves().get(landed) == steps) {
                    leave(turn.rank());
                }
                if (schedule.lands().get(landed) > steps) {
                    break; // Those behind it leave later.
                }
                if (!isLast && summedSlices < ends.get(landed)) {
                    fabric.processor(turn.rank()).rest();
                    waiting = () -> next(turn, done);
                    return;
                }
                landed++; // After the last step nobody waits for a fragment alone.
            }
            if (isLast) {
                fabric.processor(turn.rank()).rest();
                done.accept(computeNs);
            } else {
                step(turn, done);
            }
        }

        private void leave(int rank) {
            int first = left == 0 ? 0 : ends.get(left - 1);
            int end = ends.get(left++);
            for (int slice = first; slice < end; slice++) {
                sums.handOver(rank, slice);
            }
        }

        private void step(Turn turn, DoubleConsumer done) {
            double now = events.nowNs();
            double until = fabric.processor(turn.rank()).compute(now, turn.stepNs().getAsDouble());
            computeNs += until - now;
            steps++;
            events.at(until, () -> next(turn, done));
        }
    }
}
