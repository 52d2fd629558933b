"""Figures of training on Spark beside Spark's own MLlib and XGBoost4J-Spark; run by spark.sh, a line of JSON each.

    spark.py logistic ROWS PAIRS   logistic regression on ROWS x 40, MLlib and Medley in turn
    spark.py boosting ROWS WHO     100 rounds of depth 6 on ROWS x 40: medley, mllib or xgboost; once in peace, once with
                                   an executor killed halfway
"""
import json
import os
import signal
import subprocess
import sys
import threading
import time

from pyspark.ml.classification import GBTClassifier, LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession

FEATURES = 40
RUNS = "target/spark-figures/runs"
spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.medley.workers", "3")
spark.conf.set("spark.medley.runs", RUNS)
jvm = spark._jvm


def say(**figure):
    print("FIGURE " + json.dumps(figure), flush=True)


def rows(count):
    columns = [f"x{i}" for i in range(FEATURES)]
    raw = spark.range(0, count, 1, 12).selectExpr(
        *[f"randn({i}) * {1 + i % 5} + {i % 3} AS x{i}" for i in range(FEATURES)])
    logit = " + ".join(f"{(-1) ** i * (i % 7) / 10}*x{i}/{1 + i % 5}" for i in range(FEATURES))
    raw = raw.selectExpr("*", f"CAST(rand(99) < 1/(1+exp(-({logit}))) AS DOUBLE) AS label")
    made = VectorAssembler(inputCols=columns, outputCol="features").transform(raw).select("features", "label").cache()
    made.count()
    return made


def timed(work):
    began = time.time()
    result = work()
    return time.time() - began, result


def events(folder):
    run = max((os.path.join(folder, name) for name in os.listdir(folder)), key=os.path.getmtime)
    began = json.load(open(run + "/summary.json"))["startedMillis"]
    return [((json.loads(line)["wallMillis"] - began) / 1e3, json.loads(line)["message"]) for line in open(run + "/events.jsonl")]


def logistic(count, pairs):
    table = rows(count)
    for pair in range(pairs):
        theirs, mllib = timed(lambda: LogisticRegression(maxIter=100, tol=1e-6).fit(table))
        ours, medley = timed(
            lambda: jvm.dev.medley.spark.connect.MedleyLogisticRegression(f"ours{pair}").fit(table._jdf))
        apart = max(abs(a - b) for a, b in zip(mllib.coefficients, list(medley.coefficients().toArray())))
        first = next(at for at, what in events(RUNS) if what.startswith("group 1"))
        say(what="logistic", rows=count, pair=pair, mllib_s=round(theirs, 2), medley_s=round(ours, 2),
            ratio=round(theirs / ours, 2), coefficients_apart=apart, first_step_after_rows_s=first)


def kill_one(after):
    """The executor that began last; SIGKILL."""
    def work():
        time.sleep(after)
        found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True).stdout.split()
        own = [int(pid) for pid in found if f"app-id\0{spark.sparkContext.applicationId}" in open(f"/proc/{pid}/cmdline").read()]
        os.kill(max(own), signal.SIGKILL)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()


def fit_of(who, table):
    if who == "medley":
        return lambda: jvm.dev.medley.spark.ml.MedleyClassifier().setModel("boosting").setMaxIter(100) \
            .setNumWorkers(3).setRunsFolder(RUNS).setSettings(
                spark.sparkContext._gateway.new_array(jvm.java.lang.String, 0)).fit(table._jdf)
    if who == "mllib":
        model = GBTClassifier(maxIter=100, maxDepth=6, stepSize=0.05)
        return lambda: model.fit(table)._java_obj
    booster = getattr(jvm.ml.dmlc.xgboost4j.scala.spark, "XGBoostClassifier")("xgb")
    booster.setNumRound(100).setMaxDepth(6).setEta(0.05).setNumWorkers(3)
    booster.setFeaturesCol("features")
    return lambda: booster.fit(table._jdf)


def boosting(count, who):
    table = rows(count)
    fit = fit_of(who, table)
    evaluator = BinaryClassificationEvaluator()
    cold, _ = timed(fit)
    peace, model = timed(fit)
    scored = model.transform(table._jdf)
    auc = evaluator._to_java().evaluate(scored)
    say(what="boosting", who=who, rows=count, first_s=round(cold, 2), peace_s=round(peace, 2), auc=round(auc, 4))
    kill_one(peace / 2)
    try:
        killed, _ = timed(fit)
        say(what="killed", who=who, rows=count, peace_s=round(peace, 2), killed_s=round(killed, 2),
            more_s=round(killed - peace, 2), how="went on")
    except Exception as e:  # What users see.
        say(what="killed", who=who, rows=count, how=str(e).splitlines()[0][:200])
    if who == "medley":
        said = events(RUNS)
        lost = next((at for at, what in said if " is lost" in what), None)
        again = next((at for at, what in said if lost is not None and at > lost and what.startswith("group")), None)
        say(what="medley events", lost_s=lost, group_again_s=again, events=[what[:120] for at, what in said if lost and at >= lost][:12])


if sys.argv[1] == "logistic":
    logistic(int(sys.argv[2]), int(sys.argv[3]))
else:
    boosting(int(sys.argv[2]), sys.argv[3])
spark.stop()
