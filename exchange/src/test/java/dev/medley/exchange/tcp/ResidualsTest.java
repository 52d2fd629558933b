package dev.medley.exchange.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.Residuals.Place;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is kept of cells from step to step and from group to group. */
@Tag("unit")
class ResidualsTest {
    private static final ElementType TYPE = ElementType.FLOAT32;
    private static final Place CELL = new Place(8, 8, TYPE);
    private static final SiteMap SITES = new SiteMap(List.of(List.of(0, 1), List.of(2)));
    private static final SiteMap OTHERS = new SiteMap(List.of(List.of(0), List.of(1, 2)));

    private final Residuals residuals = new Residuals();

    @BeforeEach
    void leaveSomething() {
        residuals.begin(SITES, 1);
        encode(3, -5);
        residuals.applied();
    }

    /**
     * In a step whose sum is divided by 4: the larger of the two is sent, the other is left out.
     */
    private void encode(float first, float second) {
        Codec largest = Codec.of(Compress.TOPK, CodecSpec.DEFAULT).orElseThrow();
        Span values = Span.allocate(8);
        values.buffer().asFloatBuffer().put(0, first).put(1, second);
        ByteBuffer sent = ByteBuffer.allocateDirect(largest.encodedBytes(2));
        largest.encode(values.buffer(), TYPE, sent, residuals.of(CELL).in(4));
    }

    @Test
    void shouldStayWithTheSameRankAtTheSameSites() {
        residuals.begin(SITES, 1);
        assertThat(moved(8)).containsExactly(6, 0);
    }

    @Test
    void shouldBeForgottenWhereAnotherRankOwnsTheCells() {
        residuals.begin(SITES, 0);
        assertThat(residuals.known(CELL)).isNull();
        residuals.begin(SITES, 1);
        assertThat(moved(4)).containsExactly(0, 0);
    }

    @Test
    void shouldBeForgottenWhereSitesAreOthers() {
        residuals.begin(OTHERS, 1);
        assertThat(moved(4)).containsExactly(0, 0);
    }

    @Test
    void shouldBeForgottenOnDemand() {
        residuals.forget();
        assertThat(moved(4)).containsExactly(0, 0);
    }

    @Test
    void whatIsMovedShouldBeGoneOnceTheStepIsApplied() {
        assertThat(moved(4)).containsExactly(3, 0);
        residuals.discarded();
        assertThat(moved(4)).as("the step was discarded").containsExactly(3, 0);
        residuals.applied();
        assertThat(moved(4)).containsExactly(0, 0);
    }

    /** A group that begins undoes what the one before did not apply. */
    @Test
    void whatWasNotAppliedShouldBeUndoneWithTheGroup() {
        encode(100, 200);
        residuals.begin(SITES, 1);
        assertThat(moved(4)).containsExactly(3, 0);
    }

    @Test
    void shouldStayWhereNothingWillBeApplied() {
        assertThat(moved(0)).containsExactly(0, 0);
        residuals.applied();
        assertThat(moved(4)).containsExactly(3, 0);
    }

    @Test
    void shouldStayOutOfOtherSlices() {
        for (Slice slice :
                List.of(
                        slice(0, 12, TYPE, Fidelity.CODED),
                        slice(12, 12, TYPE, Fidelity.CODED),
                        slice(0, 24, ElementType.FLOAT64, Fidelity.CODED),
                        slice(0, 24, TYPE, Fidelity.EXACT))) {
            Span memory = Span.allocate(24);
            residuals.moveInto(slice, memory);
            assertThat(memory.buffer()).as("%s", slice).isEqualTo(Span.allocate(24).buffer());
        }
    }

    /** What comes out where the slice goes as it is, in this unit. */
    private float[] moved(double unit) {
        Span memory = Span.allocate(24);
        Slice slice =
                new Slice(new StepTag(1, 1, 1), 1, 0, 24, TYPE, Fidelity.CODED, Scope.ALL, unit);
        residuals.moveInto(slice, memory);
        float[] values = new float[2];
        memory.slice(8, 8).buffer().asFloatBuffer().get(values);
        return values;
    }

    private static Slice slice(long offset, long bytes, ElementType type, Fidelity fidelity) {
        return new Slice(new StepTag(1, 1, 1), 1, offset, bytes, type, fidelity);
    }
}
