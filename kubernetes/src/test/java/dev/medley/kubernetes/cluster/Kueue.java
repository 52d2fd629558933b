package dev.medley.kubernetes.cluster;

import java.util.List;
import java.util.Set;

/** Starts Kueue's real controller, and makes queues. */
public final class Kueue {
    private Kueue() {}

    /** Starts it; aborts the test where it was not built. */
    public static ForeignController start(ControlPlane plane) throws Exception {
        return ForeignController.start(
                plane,
                new ForeignController.Wish(
                        "kueue",
                        """
                        apiVersion: config.kueue.x-k8s.io/v1beta2
                        kind: Configuration
                        namespace: kueue-system
                        health: {healthProbeBindAddress: "127.0.0.1:0"}
                        metrics: {bindAddress: "0"}
                        webhook: {port: %1$d, host: 127.0.0.1}
                        leaderElection: {leaderElect: false}
                        internalCertManagement: {enable: false}
                        clientConnection: {qps: 300, burst: 500}
                        integrations: {frameworks: [batch/job]}
                        """,
                        List.of("--feature-gates=VisibilityOnDemand=false"),
                        "crd/bases",
                        Set.of(
                                "mjob.kb.io",
                                "mclusterqueue.kb.io",
                                "mresourceflavor.kb.io",
                                "mworkload.kb.io")));
    }

    /** The queue team of a namespace, with as many cores. */
    public static void queue(ControlPlane plane, String namespace, String cpus) {
        plane.apply(
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ResourceFlavor
                metadata: {name: plain}
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: %1$s}
                spec:
                  namespaceSelector: {}
                  preemption: {withinClusterQueue: LowerPriority}
                  resourceGroups:
                  - coveredResources: [cpu]
                    flavors:
                    - name: plain
                      resources: [{name: cpu, nominalQuota: "%2$s"}]
                ---
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: team, namespace: %1$s}
                spec: {clusterQueue: %1$s}
                ---
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: urgent}
                value: 100
                """
                        .formatted(namespace, cpus));
    }
}
