package dev.medley.training.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.trees.TreeColumn;
import dev.medley.trees.TreeLearner;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a strategy of rounds says of itself. */
@Tag("unit")
class BoostingRoundsTest {
    private static final class NoRows implements BoostingRounds.Rows {
        @Override
        public long count() {
            return 0;
        }

        @Override
        public long border(long row) {
            return row;
        }

        @Override
        public void between(long from, long to, Consumer<Batch> taker) {}
    }

    /** Keys of optimizers are none of a job of trees. */
    @Test
    void itsRemedyShouldNameAKeyThatTreesHave() {
        try (TreeLearner learner =
                        new TreeLearner(
                                ModelSpec.Boosting.defaults(),
                                new Target(TargetKind.VALUE, 1, List.of()),
                                List.of(new TreeColumn("x", 0)),
                                new TreeLearner.Growing(1, 1, List.of()));
                BoostingRounds rounds = new BoostingRounds(learner, new NoRows(), 1)) {
            assertThat(rounds.remedy())
                    .contains("model.learning_rate")
                    .doesNotContain("optimizer", "clip_norm");
        }
    }
}
