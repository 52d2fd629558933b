package dev.medley.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which failures of XGBoost are a peer's, and which are not. */
@Tag("unit")
class NativesTest {
    @Test
    void whatTheCollectiveSaysShouldBeAPeersFault() {
        String lost =
                "[06:01:02] /workspace/src/collective/result.cc:78: \n"
                        + "- [allreduce.cc:98|06:01:02]: Allreduce failed.\n"
                        + "- [loop.cc:91|06:01:02]: Encountered EOF. The other end is likely"
                        + " closed.\nStack trace:\n  [bt] (0) libxgboost4j.so";
        assertThat(Natives.failure(lost))
                .isInstanceOf(PeerGoneException.class)
                .hasMessageContaining("Encountered EOF")
                .hasMessageNotContaining("Stack trace");
    }

    /** No group helps against it, however often it is formed anew. */
    @Test
    void whatOneMemberCannotLearnFromShouldBeNoPeersFault() {
        try (TreeLearner learner = TreeSamples.boosting(TargetKind.BINARY)) {
            learner.learnFrom(10, taker -> taker.accept(withLabelTwo()));
            assertThatThrownBy(learner::grow)
                    .isExactlyInstanceOf(TreeException.class)
                    .hasMessageContaining("label must be in");
        }
    }

    private static Batch withLabelTwo() {
        Batch batch = TreeSamples.batch(1, 0, 10, TargetKind.BINARY);
        batch.target().data().buffer().asFloatBuffer().put(3, 2);
        return batch;
    }

    @Test
    void wantOfMemoryShouldBeWhatItIs() {
        assertThatThrownBy(() -> Natives.failure("std::bad_alloc"))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
