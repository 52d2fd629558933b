package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.spark.rows.FrameColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Chooses the columns of a DataFrame that a job learns from, where its user names none. */
final class JobInputs {
    private JobInputs() {}

    /** Whether a job learns how a language goes on: texts without labels. */
    static boolean isLanguage(JobSpec job) {
        boolean readsTexts =
                job.model() instanceof ModelSpec.Recurrent
                        || job.model() instanceof ModelSpec.Transformer
                        || job.model() instanceof ModelSpec.Pretrained;
        return readsTexts && job.data().series() == null && job.data().text().column() == null;
    }

    /**
     * The columns: those that are named, or all that have no other role. Images and texts that are
     * cut into tokens are learnt from alone, so that the column of these is the one.
     *
     * @throws dev.medley.base.ConfigException if the job reads another kind of column
     */
    static List<String> of(StructType schema, List<String> named, List<String> roles, JobSpec job) {
        DataSpec data = job.data();
        String texts = data.text().column();
        if (texts != null) {
            check(
                    named.isEmpty() || named.equals(List.of(texts)),
                    "inputCols=%s, data.text.column=%s: texts that are cut into tokens are learnt"
                            + " from alone; leave inputCols out",
                    named,
                    texts);
            return List.of(texts);
        }
        List<String> inputs = new ArrayList<>(named);
        if (named.isEmpty()) {
            inputs.addAll(List.of(schema.fieldNames()));
            inputs.removeAll(roles);
        }
        inputs.removeAll(data.table().drop());
        List<String> images =
                Arrays.stream(schema.fields())
                        .filter(FrameColumns::isImage)
                        .map(StructField::name)
                        .filter(inputs::contains)
                        .toList();
        boolean readsImages =
                job.model() instanceof ModelSpec.Cnn || job.model() instanceof ModelSpec.Resnet;
        check(
                !readsImages || !images.isEmpty(),
                "model=%s: learns from images: a column of bytes of PNG, JPEG or BMP files, or of"
                        + " Spark's images, is needed; the DataFrame has %s",
                job.model().family(),
                schema.simpleString());
        if (!images.isEmpty() && named.isEmpty()) {
            check(
                    images.size() == 1,
                    "inputCols: %s hold images, and one column is learnt from: name it",
                    images);
            inputs = images;
        }
        check(
                images.isEmpty() || (data.label() != null && data.weight() == null),
                "labelCol=%s, weightCol=%s: images need a label, and count one each",
                String.valueOf(data.label()),
                String.valueOf(data.weight()));
        if (isLanguage(job)) {
            check(
                    inputs.size() == 1
                            && Arrays.asList(schema.fieldNames()).contains(inputs.get(0))
                            && schema.apply(inputs.get(0)).dataType() instanceof StringType,
                    "model=%s: learns how texts go on: name their column alone in inputCols, or a"
                            + " column with classes by data.text.column; the columns are %s",
                    job.model().family(),
                    inputs);
        }
        return inputs;
    }
}
