package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.spark.rows.FrameColumns;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.sql.Dataset;

/** Spark's k-means, fitted by Medley: k-means|| and Lloyd over all workers. */
public class MedleyKMeans extends KMeans {
    private static final long serialVersionUID = 1L;
    private static final String CENTRES = "centres";

    /** Made by Spark Connect. */
    public MedleyKMeans(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyKMeans() {}

    /** Reads one that was written. */
    public static MedleyKMeans load(String path) {
        return new DefaultParamsReader<MedleyKMeans>().load(path);
    }

    @Override
    public MedleyKMeans copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public KMeansModel fit(Dataset<?> rows) {
        Asked asked = new Asked(this);
        boolean isForSpark =
                Asked.isForSpark(
                        this,
                        asked.set("distanceMeasure", "euclidean"::equals),
                        asked.set("initMode", "k-means||"::equals),
                        asked.column("weightCol") == null ? null : "weightCol is set");
        if (isForSpark) {
            return super.fit(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(), "none")) {
            List<Dense> dense = ((TableEncoding) trained.encoding()).dense();
            double[] all = LinearParts.array(trained.weights(), CENTRES);
            int clusters = all.length / dense.size();
            double[] constant = Frames.first(rows, getFeaturesCol());
            Vector[] centres = new Vector[clusters];
            for (int cluster = 0; cluster < clusters; cluster++) {
                double[] centre = constant.clone(); // Of columns that have one value alone.
                for (int i = 0; i < dense.size(); i++) {
                    centre[FrameColumns.place(dense.get(i).name())] =
                            dense.get(i).scaling().original(all[cluster * dense.size() + i]);
                }
                centres[cluster] = new DenseVector(centre);
            }
            KMeansModel model =
                    new KMeansModel(
                            uid(), new org.apache.spark.mllib.clustering.KMeansModel(centres));
            return copyValues(model.setParent(this), ParamMap.empty());
        }
    }

    private String job() {
        return String.format(
                Locale.ROOT,
                "name: k-means%nmodel: {family: kmeans, k: %d, restarts: 1, iterations: %d,"
                        + " tolerance: %s}%ndata: {split: 0, table: {scaling: none}}%nseed: %d%n",
                getK(),
                Math.max(1, getMaxIter()),
                Double.toString(getTol()),
                getSeed() & Long.MAX_VALUE);
    }
}
