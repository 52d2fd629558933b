package dev.medley.tensor.kmeans;

import dev.medley.base.memory.Batch;
import java.nio.FloatBuffer;

/** Finds the nearest centre of each sample of a batch, in order. */
final class BatchPass {
    private final double[] shift;
    private final CentreProducts products;
    private final Nearest nearest;

    /** Hears of each sample. */
    @FunctionalInterface
    interface Taker {
        /**
         * The next.
         *
         * @param samples holds its features from {@code at} on, after the shift was taken off
         * @param nearest centre
         * @param squared distance to it
         */
        void take(float[] samples, int at, int nearest, double squared);
    }

    /** For k centres, as samples are after {@code shift} was taken off. */
    BatchPass(double[] centres, int k, double[] shift) {
        this.shift = shift;
        products = new CentreProducts(centres, k, shift.length);
        nearest = new Nearest(products);
    }

    void over(Batch batch, Taker taker) {
        if (batch.samples() == 0) {
            return;
        }
        int d = shift.length;
        FloatBuffer from = batch.inputs().get(0).data().buffer().asFloatBuffer();
        float[] row = new float[d];
        for (int i = 0; i < batch.samples(); i++) {
            from.get(i * d, row);
            for (int j = 0; j < d; j++) {
                row[j] = (float) (row[j] - shift[j]);
            }
            products.add(row, 0);
            if (products.isFull()) {
                tell(taker);
            }
        }
        tell(taker);
    }

    private void tell(Taker taker) {
        if (products.waiting() == 0) {
            return;
        }
        products.score();
        for (int waiting = 0; waiting < products.waiting(); waiting++) {
            nearest.find(waiting);
            int at = waiting * shift.length;
            taker.take(products.samples(), at, nearest.centre(), nearest.squared());
        }
        products.clear();
    }
}
