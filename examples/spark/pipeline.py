"""Classic pyspark with Medley's classifier as a stage of a pipeline:

    spark-submit --master spark://master:7077 --jars "$JARS" examples/spark/pipeline.py data/adult/adult-train.csv

JARS are the jars of an installation of Medley: $(ls -1 cli/target/medley/lib/*.jar | paste -sd,) in a checkout.
"""
import sys

from pyspark.ml import Pipeline
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import StringIndexer
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasMaxIter
from pyspark.ml.wrapper import JavaEstimator, JavaModel
from pyspark.sql import SparkSession


class MedleyClassifier(JavaEstimator, HasLabelCol, HasMaxIter):
    """Hands parameters and rows to dev.medley.spark.ml.MedleyClassifier in the JVM; others are added in the same way."""

    model = Param(Params._dummy(), "model", "model family", TypeConverters.toString)
    inputCols = Param(Params._dummy(), "inputCols", "columns to learn from", TypeConverters.toListString)
    numWorkers = Param(Params._dummy(), "numWorkers", "workers that begin", TypeConverters.toInt)
    validationFraction = Param(Params._dummy(), "validationFraction", "rows to judge by", TypeConverters.toFloat)

    def __init__(self, **values):
        super().__init__()
        self._java_obj = self._new_java_obj("dev.medley.spark.ml.MedleyClassifier", self.uid)
        self._set(**values)

    def _create_model(self, java_model):
        return JavaModel(java_model)


spark = SparkSession.builder.appName("adult").getOrCreate()
# Two passes encode the rows, and lost ones are read again: a file gives the same ones each time.
rows = spark.read.csv(sys.argv[1], header=True, inferSchema=True, ignoreLeadingWhiteSpace=True, nullValue="?")
train, test = (part.cache() for part in rows.randomSplit([0.8, 0.2], seed=1))
columns = [name for name in rows.columns if name != "income"]  # Numbers and strings as they are.
pipeline = Pipeline(stages=[
    StringIndexer(inputCol="income", outputCol="label"),
    MedleyClassifier(model="boosting", inputCols=columns, maxIter=200, validationFraction=0.1, numWorkers=2),
])
model = pipeline.fit(train)
print("AUC", BinaryClassificationEvaluator().evaluate(model.transform(test)))
spark.stop()
