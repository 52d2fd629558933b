package dev.medley.tensor.optimizer;

import dev.medley.tensor.FlatBuffer;

/**
 * Shrinks parameters towards 0 after a step along the gradient of a smooth loss: the proximal step
 * of an L1 penalty (Combettes and Wajs 2005; the soft threshold). What is nearer to 0 than the step
 * becomes 0. In plain Java, with the same bits on every machine.
 */
final class Shrinkage {
    private static final int STRETCH = 4096;

    private Shrinkage() {}

    /** Of the parameters of a run that has a penalty, at the learning rate of the step. */
    static void apply(Run run, double learningRate, FlatBuffer parameters) {
        StrictMemory memory = new StrictMemory(parameters);
        double most = learningRate * run.l1();
        double[] p = new double[STRETCH];
        for (long done = 0; done < run.count(); done += STRETCH) {
            int count = (int) Math.min(STRETCH, run.count() - done);
            memory.read(run.offset() + done, p, count);
            for (int i = 0; i < count; i++) {
                p[i] = Math.copySign(Math.max(0, Math.abs(p[i]) - most), p[i]);
            }
            memory.write(run.offset() + done, p, count);
        }
    }
}
