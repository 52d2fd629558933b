"""Unchanged code of pyspark.ml, once as it is and once with Medley behind it."""
import sys
from pyspark.ml.classification import GBTClassifier, LogisticRegression, RandomForestClassifier
from pyspark.ml.clustering import KMeans
from pyspark.ml.evaluation import BinaryClassificationEvaluator, RegressionEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.pipeline import Pipeline
from pyspark.ml.regression import GBTRegressor, LinearRegression, RandomForestRegressor
from pyspark.sql import SparkSession

BACKEND = "spark.connect.ml.backend.classes"
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.conf.set("spark.medley.workers", "2")
spark.conf.set("spark.medley.runs", sys.argv[2])
raw = spark.range(0, 3000, 1, 4).selectExpr(
    "randn(1) AS a", "5 + 3 * randn(2) AS b", "randn(3) AS c", "randn(4) AS noise")
raw = raw.selectExpr(
    "a", "b", "c", "CAST(a + 0.3 * b + noise > 1.5 AS DOUBLE) AS label", "2 * a - b + 0.1 * noise AS y",
    "CAST(IF(a > 0.5, 2, IF(b > 5, 1, 0)) AS DOUBLE) AS kind")
rows = VectorAssembler(inputCols=["a", "b", "c"], outputCol="features").transform(raw).cache()


def both(fit):
    spark.conf.unset(BACKEND)
    theirs = fit()
    spark.conf.set(BACKEND, "dev.medley.spark.connect.MedleyBackend")
    ours = fit()
    spark.conf.unset(BACKEND)
    return theirs, ours


def near(name, a, b, most):
    worst = max(abs(x - y) for x, y in zip(a, b))
    print(f"{name}: {worst:.2e}", flush=True)
    assert worst <= most, (name, list(a), list(b))


def scored(name, evaluator, models, most):
    near(name, *[[evaluator.evaluate(m.transform(rows))] for m in models], most)


auc = BinaryClassificationEvaluator()
theirs, ours = both(lambda: LogisticRegression(maxIter=100, tol=1e-9).fit(rows))
near("logistic", theirs.coefficients, ours.coefficients, 2e-3)
near("logistic intercept", [theirs.intercept], [ours.intercept], 5e-3)
assert ours.numFeatures == 3 and ours.numClasses == 2
theirs, ours = both(lambda: LogisticRegression(regParam=0.1, elasticNetParam=0.5, maxIter=200, tol=1e-9).fit(rows))
near("elastic net", theirs.coefficients, ours.coefficients, 5e-3)
theirs, ours = both(lambda: LogisticRegression(labelCol="kind", maxIter=100).fit(rows))
agree = ours.transform(rows).filter("prediction = kind").count() - theirs.transform(rows).filter("prediction = kind").count()
assert abs(agree) <= 30, agree
theirs, ours = both(lambda: LinearRegression(labelCol="y", maxIter=100).fit(rows))
near("linear", list(theirs.coefficients) + [theirs.intercept], list(ours.coefficients) + [ours.intercept], 5e-3)
scored("boosting auc", auc, both(lambda: GBTClassifier(maxIter=20, seed=1).fit(rows)), 0.03)
scored("forest auc", auc, both(lambda: RandomForestClassifier(numTrees=30, seed=1).fit(rows)), 0.03)
rmse = RegressionEvaluator(labelCol="y")
scored("boosting rmse", rmse, both(lambda: GBTRegressor(labelCol="y", maxIter=30, seed=1).fit(rows)), 0.3)
scored("forest rmse", rmse, both(lambda: RandomForestRegressor(labelCol="y", numTrees=30, seed=1).fit(rows)), 0.6)
theirs, ours = both(lambda: KMeans(k=3, seed=3, maxIter=50).fit(rows))
cost = [sum((float(x) - float(y)) ** 2 for x, y in zip(a, b)) for a, b in
        zip(sorted(map(list, theirs.clusterCenters()), key=lambda c: c[1]),
            sorted(map(list, ours.clusterCenters()), key=lambda c: c[1]))]
print("centres", cost)
assert ours.transform(rows).select("prediction").distinct().count() == 3
spark.conf.set(BACKEND, "dev.medley.spark.connect.MedleyBackend")
model = Pipeline(stages=[VectorAssembler(inputCols=["a", "b"], outputCol="two"),
                         LogisticRegression(featuresCol="two")]).fit(raw)
assert auc.evaluate(model.transform(raw)) > 0.8
print("done")
spark.stop()
