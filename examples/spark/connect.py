"""Unchanged estimators of pyspark.ml over Spark Connect, trained by Medley on the server:

    python examples/spark/connect.py sc://localhost:15002

The server has Medley's jars; docs/spark.md says how to start one. What the server's log calls "trained by Spark itself"
was asked for in a way that Medley does not do.
"""
import sys

from pyspark.ml import Pipeline
from pyspark.ml.classification import GBTClassifier, LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession

spark = SparkSession.builder.remote(sys.argv[1] if len(sys.argv) > 1 else "sc://localhost:15002").getOrCreate()
# The three lines that make it Medley; without the first Spark trains.
spark.conf.set("spark.connect.ml.backend.classes", "dev.medley.spark.connect.MedleyBackend")
spark.conf.set("spark.medley.workers", "2")
spark.conf.set("spark.medley.runs", "/tmp/medley-runs")  # On the server.

# Seeds make the rows the same each time that they are computed.
rows = spark.range(0, 100_000, 1, 8).selectExpr("randn(1) AS a", "5 + 3 * randn(2) AS b", "randn(3) AS noise")
rows = rows.selectExpr("a", "b", "CAST(a + 0.3 * b + noise > 1.5 AS DOUBLE) AS label").cache()
assembler = VectorAssembler(inputCols=["a", "b"], outputCol="features")
auc = BinaryClassificationEvaluator()

logistic = LogisticRegression(maxIter=100).fit(assembler.transform(rows))
print("logistic regression:", logistic.coefficients, logistic.intercept)
for estimator in (LogisticRegression(maxIter=100), GBTClassifier(maxIter=50, seed=1)):
    model = Pipeline(stages=[assembler, estimator]).fit(rows)
    print(type(estimator).__name__, "AUC", auc.evaluate(model.transform(rows)))
spark.stop()
