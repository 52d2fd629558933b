package dev.medley.tensor.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CandidateDrawTest {
    private static final KMeansShape SHAPE = new KMeansShape(2, 1, 1);
    private static final ExactUnit UNIT = ExactUnit.forSumsWithin(1e4);

    /** Squared distances to 0 are 1, 4, 9 and 0: of four points in 14 each has its part. */
    @Test
    void samplesShouldBeDrawnAsOftenAsTheirSquaredDistanceSays() {
        double[] drawn = new double[4];
        int draws = 1000;
        for (int i = 0; i < draws; i++) {
            double[] into = draw((i + 0.5) / draws, 1, -2, 3, 0);
            for (int j = 0; j < SHAPE.draws(); j++) {
                assertThat(into[2 * j + 1]).isEqualTo(1);
                drawn[(int) Math.abs(into[2 * j])]++;
            }
        }
        assertThat(drawn[0]).isZero();
        assertThat(drawn[1] / draws).isCloseTo(4 / 14.0, within(2e-3));
        assertThat(drawn[2] / draws).isCloseTo(16 / 14.0, within(2e-3));
        assertThat(drawn[3] / draws).isCloseTo(36 / 14.0, within(2e-3));
    }

    private static double[] draw(double offset, float... values) {
        KMeansRows rows = new KMeansRows(1);
        rows.add(new Blobs(values.length, 1, values).batch(0, values.length));
        CandidateDraw draw = new CandidateDraw(rows, SHAPE, UNIT);
        double all = draw.measure(new double[1], 1);
        assertThat(all).isEqualTo(14);
        double[] into = new double[SHAPE.gathered()];
        draw.draw(0, all, offset, into);
        return into;
    }
}
