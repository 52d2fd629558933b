package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.model.FactorSpec.Solver;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.plan.strategy.StrategyModels;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a run promises whatever its strategy: a worker that is killed costs no sample, a run that
 * was interrupted goes on, every sample counts once, and where the strategy repeats, the recorded
 * plans give the same bits again.
 */
@Tag("real")
class EveryStrategyTest {
    private static final int EVERY = 4;
    private static final int WARM = 8;
    private static final int WORKERS = 3;

    /** An epoch of some 280 steps. */
    private static final int WORDS = 16_000;

    @TempDir Path folder;

    /** One of each kind of exchange. */
    enum Case {
        DATA_PARALLEL(StrategySpec.defaults()),
        FACTORS(StrategySpec.defaults().with(Compress.POWERSGD, CodecSpec.DEFAULT.ofRank(2))),
        PLACED(StrategySpec.defaults()),
        LOCAL_SGD(rounds(Kind.LOCAL_SGD)),
        DILOCO(rounds(Kind.DILOCO)),
        /** All are of one site: the others wait for the lost one in an inner step. */
        HYBRID(rounds(Kind.HYBRID)),
        STREAMED(of(Kind.DILOCO, round(Kind.DILOCO).streaming(new StreamSpec(2, 1)))),
        /** Whoever is first ends the round; what is late is dealt to those who go on. */
        QUORUM(
                of(
                        Kind.LOCAL_SGD,
                        round(Kind.LOCAL_SGD)
                                .waitingFor(QuorumSpec.of(1).waiting(0).gating(0.25, 3)))),
        SERVERS(rounds(Kind.PARAMETER_SERVER)),
        SERVERS_IN_STEP(rounds(Kind.PARAMETER_SERVER).with(AsyncSpec.of(Sync.BULK))),
        GOSSIP(rounds(Kind.GOSSIP)),
        /** A round over all rows is a step, and what is exchanged travels beside the sums. */
        TREES(StrategySpec.defaults()),
        /** The rows travel that the samples of a step touch. */
        RATINGS(StrategySpec.defaults()),
        /** A step solves all users or all items. */
        LEAST_SQUARES(StrategySpec.defaults());

        private final StrategySpec strategy;

        Case(StrategySpec strategy) {
            this.strategy = strategy;
        }

        private static StrategySpec rounds(Kind kind) {
            return of(kind, round(kind));
        }

        private static RoundSpec round(Kind kind) {
            return StrategySpec.defaults(kind).round().every(EVERY);
        }

        private static StrategySpec of(Kind kind, RoundSpec round) {
            return StrategySpec.defaults(kind).with(round);
        }

        /** Whether what is added when is the same in each run. */
        private boolean repeats() {
            return switch (this) {
                case QUORUM, SERVERS, SERVERS_IN_STEP, GOSSIP -> false;
                default -> true;
            };
        }

        /**
         * Less than an epoch, whose last step would be shorter; whole rounds. Where nobody waits
         * for a worker that is lost, more are over until its successor has joined. So are rounds of
         * trees and of ratings, which nothing holds back.
         */
        private int steps() {
            return switch (this) {
                case TREES -> 300;
                case RATINGS -> 1800;
                case LEAST_SQUARES -> 120;
                default -> repeats() ? 60 : 120;
            };
        }

        /** The steps of its record. */
        private int recorded() {
            return switch (this) {
                case DATA_PARALLEL, FACTORS, PLACED, TREES, RATINGS, LEAST_SQUARES -> steps();
                default -> steps() / EVERY;
            };
        }

        private int samplesOfStep() {
            return switch (this) {
                case TREES -> SmallJob.TREE_ROWS;
                case LEAST_SQUARES -> SmallJob.RATINGS;
                default -> SmallJob.BATCH;
            };
        }

        private SmallJob job(Path folder) throws IOException {
            if (this == TREES) {
                return SmallJob.ofTrees(folder, WORKERS, steps());
            }
            if (this == RATINGS || this == LEAST_SQUARES) {
                Solver solver = this == RATINGS ? Solver.SGD : Solver.ALS;
                return SmallJob.ofRatings(folder, WORKERS, steps(), solver);
            }
            SmallJob job =
                    SmallJob.in(folder, WORDS, WORKERS, steps())
                            .strategy(strategy)
                            .model(Lingering.of(recorded() == steps() ? 150 : 100, WARM));
            return this == PLACED ? job.placed(Placement.SHARDS) : job;
        }
    }

    @Test
    void everyAlgorithmShouldHaveACase() {
        Set<Kind> held =
                Stream.of(Case.values()).map(c -> c.strategy.kind()).collect(Collectors.toSet());
        assertThat(held).containsExactlyInAnyOrderElementsOf(StrategyModels.kinds());
    }

    /** Kills a worker, and interrupts the run when its successor has joined. */
    private static final class Troubling implements RunProgress {
        private final long killAt;
        private Interruptible run = () -> {};
        private long steps;
        private int joined;

        Troubling(Case of) {
            killAt = Math.max(2, WARM * of.recorded() / of.steps());
        }

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (++steps == killAt) {
                Runs.killAWorker();
            }
        }

        @Override
        public void happened(RunEvent event) {
            if (event.kind() == RunEvent.Kind.JOINED && ++joined > WORKERS) {
                run.interrupt();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKilledWorkerShouldCostNoSampleAndAnInterruptedRunGoOn(Case of) throws IOException {
        SmallJob job = of.job(folder);
        Lingering.begin();
        RunResult part = JobRun.train(job.job(), options(), new Troubling(of));
        Lingering.end();
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        Path run = part.folder().path();
        RunResult rest = JobRun.train(JobRun.jobOf(run), options().resuming(run), RunProgress.NONE);
        assertThat(rest.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        RunRecord record = RunRecord.read(rest.folder());
        assertThat(record.events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED, RunEvent.Kind.RESUMED);
        assertThat(Runs.lastLoss(record)).isLessThan(record.steps().get(0).loss());
        assertWhole(of, job, rest);
    }

    private void assertWhole(Case of, SmallJob job, RunResult result) {
        RunRecord record = RunRecord.read(result.folder());
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        assertThat(record.steps()).hasSize(of.recorded());
        assertThat(record.steps().stream().mapToLong(StepRecord::samples).sum())
                .isEqualTo((long) of.steps() * of.samplesOfStep());
        if (of.repeats()) {
            RunOptions replaying = options().replaying(result.folder().path());
            RunResult again = JobRun.train(job.job(), replaying, RunProgress.NONE);
            assertThat(again.outcome().parameterHash()).isEqualTo(result.outcome().parameterHash());
        }
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }
}
