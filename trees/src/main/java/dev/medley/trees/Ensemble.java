package dev.medley.trees;

import dev.medley.base.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import ml.dmlc.xgboost4j.java.XGBoostJNI;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Holds the trees that were grown so far, in XGBoost's memory. */
final class Ensemble implements AutoCloseable {
    /** Sums over trees, without what the objective makes of them. */
    private static final int MARGINS = 1;

    private static final String FORMAT = "ubj";

    private final Map<String, String> settings;
    private final int outputs;
    private long handle;
    private int rounds;

    /**
     * No trees.
     *
     * @param settings of XGBoost
     * @param outputs trees of a round
     */
    Ensemble(Map<String, String> settings, int outputs) {
        Natives.load();
        this.settings = new LinkedHashMap<>(settings);
        this.outputs = outputs;
        this.handle = fresh();
    }

    private long fresh() {
        long[] out = new long[1];
        Natives.check(XGBoostJNI.XGBoosterCreate(new long[0], out));
        set(out[0]);
        return out[0];
    }

    private void set(long booster) {
        settings.forEach(
                (key, value) -> Natives.check(XGBoostJNI.XGBoosterSetParam(booster, key, value)));
    }

    /** Changes a setting; what was grown stays. */
    void set(String key, String value) {
        settings.put(key, value);
        Natives.check(XGBoostJNI.XGBoosterSetParam(handle, key, value));
    }

    /** Trees of a round. */
    int outputs() {
        return outputs;
    }

    /** Rounds that were grown. */
    int rounds() {
        return rounds;
    }

    /** Grows a round by the derivatives of the objective at what the trees so far say. */
    void grow(RowMatrix rows) {
        Natives.check(XGBoostJNI.XGBoosterUpdateOneIter(handle, rounds, rows.handle()));
        rounds++;
    }

    /** Grows a round by these derivatives. */
    void grow(RowMatrix rows, float[] gradients, float[] curvatures) {
        Natives.check(
                XGBoostJNI.XGBoosterTrainOneIter(
                        handle, rows.handle(), rounds, gradients, curvatures));
        rounds++;
    }

    /**
     * What the trees add up to for the rows that they grow from, row by row. Only the trees since
     * the last time are walked through.
     */
    float[] margins(RowMatrix grownFrom) {
        float[][] out = new float[1][];
        Natives.check(XGBoostJNI.XGBoosterPredict(handle, grownFrom.handle(), MARGINS, 0, out));
        return out[0];
    }

    /**
     * The same for other rows.
     *
     * @param values row by row
     * @param from rounds that {@code before} holds
     * @param before what these add up to; null for none
     */
    float[] margins(float[] values, int rows, int from, float @Nullable [] before) {
        if (rows == 0 || rounds == 0) {
            return new float[rows * outputs];
        }
        float[][] out = new float[1][];
        int columns = values.length / rows;
        Natives.check(
                XGBoostJNI.XGBoosterPredictFromDense(
                        handle, values, rows, columns, Float.NaN, from, rounds, MARGINS, before,
                        out));
        return out[0];
    }

    /** All of it, as XGBoost reads it elsewhere, too; empty where nothing was grown. */
    byte[] bytes() {
        return rounds == 0 ? new byte[0] : saved(FORMAT);
    }

    /** All of it as JSON, in XGBoost's own form. */
    JsonNode json() {
        return Json.parse(saved("json"), JsonNode.class);
    }

    private byte[] saved(String format) {
        byte[][] out = new byte[1][];
        Natives.check(XGBoostJNI.XGBoosterSaveModelToBuffer(handle, format, out));
        return out[0];
    }

    /**
     * Gains of splits and how many there are, by column.
     *
     * @param types of the columns, by XGBoost's words
     * @return two numbers for each column
     */
    double[][] gains(String[] types) {
        double[][] gains = new double[types.length][2];
        if (rounds == 0) {
            return gains;
        }
        Natives.check(XGBoostJNI.XGBoosterSetStrFeatureInfo(handle, "feature_type", types));
        String[][] out = new String[1][];
        Natives.check(XGBoostJNI.XGBoosterDumpModelEx(handle, "", 1, "json", out));
        for (String tree : out[0]) {
            add(Json.parse(tree, JsonNode.class), gains);
        }
        return gains;
    }

    private static void add(JsonNode node, double[][] gains) {
        if (node.has("children")) {
            double[] own = gains[Integer.parseInt(node.path("split").asString().substring(1))];
            own[0] += node.path("gain").asDouble();
            own[1]++;
            node.path("children").forEach(child -> add(child, gains));
        }
    }

    /** What {@link #bytes} gave takes the place of these trees. */
    void load(byte[] bytes) {
        long next = fresh();
        try {
            if (bytes.length > 0) {
                Natives.check(XGBoostJNI.XGBoosterLoadModelFromBuffer(next, bytes));
                set(next);
            }
        } catch (RuntimeException e) {
            Natives.check(XGBoostJNI.XGBoosterFree(next));
            throw e;
        }
        close();
        handle = next;
        rounds = bytes.length > 0 ? counted() : 0;
    }

    private int counted() {
        int[] out = new int[1];
        Natives.check(XGBoostJNI.XGBoosterGetNumBoostedRound(handle, out));
        return out[0];
    }

    /** Leaves the first rounds alone. */
    void cutTo(int first) {
        if (rounds <= first) {
            return;
        }
        if (first == 0) {
            load(new byte[0]);
            return;
        }
        load(EnsembleCut.of(bytes(), first));
    }

    @Override
    public void close() {
        if (handle != 0) {
            Natives.check(XGBoostJNI.XGBoosterFree(handle));
            handle = 0;
        }
    }
}
