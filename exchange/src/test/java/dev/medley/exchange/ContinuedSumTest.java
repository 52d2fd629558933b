package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.exchange.sum.Fidelity;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What codecs left out in one group goes on with the next, if that is the same group anew. */
@Tag("property")
class ContinuedSumTest {
    private static final int ELEMENTS = 5000;
    private static final int BYTES = ELEMENTS * Float.BYTES;
    private static final long STEP_TIMEOUT_NS = 10_000_000_000L;

    /**
     * Many steps with int4, then some with another codec: nothing is lost at the switch, so the sum
     * of all sums is that of the values but for what is left out at the end.
     */
    @ParameterizedTest
    @CsvSource({
        "aab,NONE,1e-3",
        "aab,BF16,0.2",
        "aab,INT8,0.2",
        "abc,NONE,1e-3",
        "aabcc,INT8,0.4",
        "aabb,INT4,4"
    })
    void nothingShouldBeLostWhereTheCodecChanges(String shape, Compress then, double most)
            throws Exception {
        try (Ranks ranks = ranks(shape)) {
            double[] sums = new double[ELEMENTS];
            steps(ranks, shape, 1, 7, sums);
            as(ranks, then);
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            steps(ranks, shape, 2, 3, sums);
            assertThat(worst(sums, exact(shape), 10)).isLessThan(most);
        }
    }

    /** One site sends plainly from now on, the other does not. */
    @Test
    void nothingShouldBeLostWhereTheCodecOfOneBorderChanges() throws Exception {
        try (Ranks ranks = ranks("aab")) {
            double[] sums = new double[ELEMENTS];
            steps(ranks, "aab", 1, 7, sums);
            as(
                    ranks,
                    Compress.INT8,
                    CodecSpec.DEFAULT.at(List.of(new BorderCodec("a", "b", Compress.NONE))));
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            steps(ranks, "aab", 2, 3, sums);
            assertThat(worst(sums, exact("aab"), 10)).isLessThan(0.1);
        }
    }

    @Test
    void anotherGroupShouldBeginAnew() throws Exception {
        try (Ranks ranks = ranks("aab")) {
            double[] once = new double[ELEMENTS];
            steps(ranks, "aab", 1, 1, once);
            double[] again = new double[ELEMENTS];
            steps(ranks, "aab", 2, 1, again);
            assertThat(again).as("nobody said that it goes on").isEqualTo(once);
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            double[] elsewhere = new double[ELEMENTS];
            steps(ranks, "abb", 3, 1, elsewhere);
            double[] fresh = new double[ELEMENTS];
            steps(ranks, "abb", 4, 1, fresh);
            assertThat(elsewhere).as("other ranks own the cells").isEqualTo(fresh);
        }
    }

    /** The step that nobody applied is undone, also for the group that follows. */
    @Test
    void aStepThatWasNotAppliedShouldLeaveNoTraceInTheNextGroup() throws Exception {
        try (Ranks ranks = ranks("aab")) {
            double[] first = new double[ELEMENTS];
            steps(ranks, "aab", 1, 1, first);
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            discarded(ranks, "aab", 2);
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            double[] second = new double[ELEMENTS];
            steps(ranks, "aab", 3, 1, second);
            double[] both = new double[ELEMENTS];
            steps(ranks, "aab", 4, 2, both);
            for (int i = 0; i < ELEMENTS; i++) {
                assertThat((float) (first[i] + second[i])).isEqualTo((float) both[i]);
            }
        }
    }

    /** A plan that changes leaves no trace in the sums, whether links are kept or made anew. */
    @Test
    void keptLinksShouldSumToTheSameBitsAsNewOnes() throws Exception {
        double[] anew = new double[ELEMENTS];
        try (Ranks ranks = ranks("aabcc")) {
            steps(ranks, "aabcc", 1, 3, new double[ELEMENTS]);
            ranks.endpoints.forEach(ExchangeEndpoint::keepResiduals);
            steps(ranks, "aabcc", 2, 2, anew);
        }
        double[] kept = new double[ELEMENTS];
        try (Ranks ranks = ranks("aabcc")) {
            List<Collective> all = formed(ranks, "aabcc", 1);
            applied(ranks, all, 1, 3, new double[ELEMENTS]);
            assertThat(ranks.play(all, each -> each.continueAs(2))).containsOnly(true);
            applied(ranks, all, 2, 2, kept);
            Ranks.close(all);
        }
        assertThat(kept).isEqualTo(anew);
    }

    private static Ranks ranks(String shape) {
        return new Ranks(shape.length(), Ranks.options().compressing(Compress.INT4));
    }

    private static void as(Ranks ranks, Compress codec) {
        as(ranks, codec, CodecSpec.DEFAULT);
    }

    private static void as(Ranks ranks, Compress codec, CodecSpec spec) {
        StrategySpec strategy = StrategySpec.defaults().with(codec, spec);
        ranks.endpoints.forEach(each -> each.exchangeAs(strategy, STEP_TIMEOUT_NS));
    }

    /** So many applied steps of a new group, each with the same values; adds up the sums. */
    private static void steps(Ranks ranks, String shape, int epoch, int count, double[] sums)
            throws Exception {
        List<Collective> all = formed(ranks, shape, epoch);
        applied(ranks, all, epoch, count, sums);
        Ranks.close(all);
    }

    private static List<Collective> formed(Ranks ranks, String shape, int epoch) throws Exception {
        return ranks.form(ranks.at(epoch, shape.split("")), Transport.TCP, 1 << 16);
    }

    private static void applied(
            Ranks ranks, List<Collective> all, int epoch, int count, double[] sums)
            throws Exception {
        for (int step = 1; step <= count; step++) {
            float[] sum = sum(ranks, all, epoch, step);
            all.forEach(Collective::applied);
            for (int i = 0; i < ELEMENTS; i++) {
                sums[i] += sum[i];
            }
        }
    }

    private static void discarded(Ranks ranks, String shape, int epoch) throws Exception {
        List<Collective> all = formed(ranks, shape, epoch);
        sum(ranks, all, epoch, 1);
        Ranks.close(all);
    }

    /** The sum that all have alike. */
    private static float[] sum(Ranks ranks, List<Collective> all, int epoch, int step)
            throws Exception {
        List<Span> sums =
                ranks.play(
                        all,
                        each -> {
                            Span slice = each.buffer().slice(0, BYTES);
                            slice.buffer().asFloatBuffer().put(values(each.rank()));
                            each.begin(new StepTag(epoch, step, 1));
                            each.sum(0, BYTES, ElementType.FLOAT32, Fidelity.CODED);
                            assertThat(each.finish()).isNull();
                            return slice;
                        });
        assertThat(sums).allMatch(sum -> sum.buffer().equals(sums.get(0).buffer()));
        FloatBuffer whole = sums.get(0).buffer().asFloatBuffer();
        float[] copy = new float[ELEMENTS];
        whole.get(0, copy);
        return copy;
    }

    private static float[] values(int rank) {
        RandomGenerator random = Seeds.generator(3, rank);
        float[] values = new float[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static double[] exact(String shape) {
        double[] sum = new double[ELEMENTS];
        for (int rank = 0; rank < shape.length(); rank++) {
            float[] values = values(rank);
            for (int i = 0; i < ELEMENTS; i++) {
                sum[i] += values[i];
            }
        }
        return sum;
    }

    private static double worst(double[] sums, double[] exact, int steps) {
        double worst = 0;
        for (int i = 0; i < sums.length; i++) {
            worst = Math.max(worst, Math.abs(sums[i] - steps * exact[i]));
        }
        return worst;
    }
}
