package dev.medley.onnx.given;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.table.TermSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.LoadedModel;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tables with columns of words, hashes and pairs, and models of them. */
public final class GivenTerms {
    private GivenTerms() {}

    /** A model of all rows of a table, and what it says of them. */
    public record Learnt(LoadedModel model, float[] outputs) {}

    /** After some steps, in a folder of that one. */
    public static Learnt learnt(Path folder, ModelSpec model, DataSpec spec, int rows)
            throws Exception {
        Path cache = folder.resolve("cache");
        PreparedData fitted = Datasets.prepare(spec, 1, cache, PreparationProgress.NONE);
        PreparedData all =
                Datasets.encode(fitted.encoding(), spec, cache, PreparationProgress.NONE);
        try (TrainingData data = TrainingData.open(all, 1, Clock.system())) {
            Batch batch = data.validation(0, rows);
            LoadedModel loaded =
                    GivenModel.trained(folder.resolve("m"), model, fitted.encoding(), batch);
            HostArray said = loaded.predict(batch);
            float[] outputs = new float[rows];
            said.data().buffer().asFloatBuffer().get(outputs);
            return new Learnt(loaded, outputs);
        }
    }

    /** Of a file whose columns {@code terms} names. */
    public static DataSpec spec(
            DataFormat format, Path file, @Nullable String label, TermSpec terms) {
        TableSpec table = TableSpec.defaults();
        return new DataSpec(
                format,
                List.of(file.toString()),
                List.of(),
                label,
                DataSpec.SplitSpec.defaults(),
                new TableSpec(
                        table.delimiter(),
                        table.header(),
                        table.decimal(),
                        table.dates(),
                        table.missing(),
                        table.drop(),
                        table.categorical(),
                        table.numeric(),
                        table.oneHotLimit(),
                        table.badRows(),
                        table.scaling(),
                        terms,
                        table.columns()),
                DataSpec.ImageSpec.defaults(),
                DataSpec.TextSpec.defaults(),
                DataSpec.CacheSpec.defaults(),
                2,
                null,
                DataSpec.Placement.EVERYWHERE,
                DataSpec.Task.FOUND,
                null,
                null,
                null);
    }
}
