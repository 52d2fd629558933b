package dev.medley.inference.model;

import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.store.model.ModelDescription;
import java.nio.file.Path;
import java.util.List;

/** Describes new files for a trained model. */
public final class NewData {
    private NewData() {}

    /** New files, read as the model's training files were: same options, another place. */
    public static DataSpec like(ModelDescription model, Path data) {
        DataSpec trained = Json.bind(model.provenance().job().path("data"), DataSpec.class);
        return new DataSpec(
                format(trained.format(), data),
                List.of(data.toAbsolutePath().normalize().toString()),
                List.of(),
                trained.label(),
                trained.split(),
                trained.table(),
                trained.image(),
                trained.text(),
                trained.cache(),
                trained.prefetchBatches(),
                trained.custom(),
                DataSpec.Placement.EVERYWHERE,
                DataSpec.Task.FOUND,
                null,
                trained.series(),
                null);
    }

    /** A table may come in another format; else what training was told holds here, too. */
    private static DataFormat format(DataFormat trained, Path data) {
        boolean isSaid = trained != DataFormat.AUTO && trained != DataFormat.CUSTOM;
        boolean isOtherTable = isSaid && trained.isTable() && Datasets.formatOf(data).isTable();
        return isOtherTable ? DataFormat.AUTO : trained;
    }
}
