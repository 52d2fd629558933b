package dev.medley.fleet.elastic.trace;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;

/**
 * Holds what was measured while a model was trained to the end with several batches: steps and
 * gradient noise by epoch, interpolated linearly between batches.
 */
public final class LearningCurves {
    private final Ladder<Curve> byBatch;

    /** Of one batch: by epoch. */
    private record Curve(double[] steps, double[] work, NoiseAt[] noise) {}

    /** Reads {@code validation-BATCH.csv} of a model's folder. */
    public LearningCurves(Path folder) {
        TreeMap<Integer, Curve> found = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "validation-*.csv")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                int batch = Integer.parseInt(name.replaceAll("\\D", ""));
                found.put(batch, curve(CsvRows.read(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder, e);
        }
        ConfigException.check(
                !found.isEmpty(), "%s has no validation-*.csv; give a model's folder", folder);
        byBatch = new Ladder<>(found);
    }

    /** The smallest batch that was trained with. */
    public int minBatch() {
        return byBatch.least();
    }

    /** The largest batch that was trained with. */
    public int maxBatch() {
        return byBatch.most();
    }

    /** Work that is done when that many epochs are, in steps of the initial batch. */
    public double work(int epochs) {
        if (epochs == 0) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (Curve curve : byBatch.values()) {
            least = Math.min(least, curve.work[epochs - 1]);
        }
        return least;
    }

    /** Gradient noise in an epoch, counted from 0, with a batch. */
    public NoiseAt noise(int batch, int epoch) {
        Ladder.Between<Curve> around = byBatch.around(batch);
        return around.low().noise[epoch].mix(around.share(), around.high().noise[epoch]);
    }

    /** Steps that a training with a batch has done at the end of an epoch, counted from 0. */
    public double steps(int batch, int epoch) {
        Ladder.Between<Curve> around = byBatch.around(batch);
        return around.share() * around.low().steps[epoch]
                + (1 - around.share()) * around.high().steps[epoch];
    }

    private static Curve curve(CsvRows rows) {
        double[] steps = new double[rows.count()];
        double[] work = new double[rows.count()];
        NoiseAt[] noise = new NoiseAt[rows.count()];
        for (int epoch = 0; epoch < rows.count(); epoch++) {
            steps[epoch] = rows.number(epoch, "iteration");
            work[epoch] = rows.number(epoch, "progress");
            noise[epoch] =
                    new NoiseAt(rows.number(epoch, "grad_sqr"), rows.number(epoch, "grad_var"));
        }
        return new Curve(steps, work, noise);
    }
}
