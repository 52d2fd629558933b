#!/bin/bash
# Begins an executor as the entrypoint of Spark's image does, where pods are processes of this machine.
set -e
options=()
while IFS= read -r option; do
    options+=("$option")
done < <(env | sed -n 's/^SPARK_JAVA_OPT_[0-9]*=//p')
exec java "${options[@]}" -Xmx"$SPARK_EXECUTOR_MEMORY" -cp "$SPARK_CLASSPATH:$SPARK_HOME/jars/*" \
    org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \
    --driver-url "$SPARK_DRIVER_URL" --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \
    --app-id "$SPARK_APPLICATION_ID" --hostname "$SPARK_EXECUTOR_POD_IP" \
    --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" --podName "$SPARK_EXECUTOR_POD_NAME"
