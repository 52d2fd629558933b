package dev.medley.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts a pod's volumes into folders. A process sees this machine's paths: where the pod's words
 * name a mount, the folder's path is put in its place.
 */
final class PodVolumes {
    private final Map<String, Path> places = new HashMap<>();

    private PodVolumes() {}

    /**
     * @param claims where the volumes of claims lie, which outlive pods
     */
    static PodVolumes of(KubernetesClient client, Pod pod, Path folder, Path claims)
            throws IOException {
        PodVolumes volumes = new PodVolumes();
        Map<String, Path> byName = new HashMap<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            Path place = folder.resolve(volume.getName());
            String namespace = pod.getMetadata().getNamespace();
            if (volume.getHostPath() != null) {
                place = Path.of(volume.getHostPath().getPath());
            } else if (volume.getPersistentVolumeClaim() != null) {
                String claim = volume.getPersistentVolumeClaim().getClaimName();
                place = claims.resolve(namespace + "-" + claim);
            }
            Files.createDirectories(place);
            if (volume.getConfigMap() != null) {
                String name = volume.getConfigMap().getName();
                ConfigMap map =
                        there(
                                client.configMaps().inNamespace(namespace).withName(name).get(),
                                volume,
                                "configmap",
                                name);
                for (Map.Entry<String, String> file : map.getData().entrySet()) {
                    Files.writeString(place.resolve(file.getKey()), file.getValue());
                }
            } else if (volume.getSecret() != null) {
                String name = volume.getSecret().getSecretName();
                Secret secret =
                        there(
                                client.secrets().inNamespace(namespace).withName(name).get(),
                                volume,
                                "secret",
                                name);
                for (Map.Entry<String, String> file : secret.getData().entrySet()) {
                    Path at = place.resolve(file.getKey());
                    Files.write(at, Base64.getDecoder().decode(file.getValue()));
                    Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rw-------"));
                }
            }
            byName.put(volume.getName(), place);
        }
        for (VolumeMount mount : pod.getSpec().getContainers().get(0).getVolumeMounts()) {
            Path place = byName.get(mount.getName());
            if (place == null) {
                continue; // The service account's, which the process has as its KUBECONFIG.
            }
            if (mount.getSubPath() != null && !mount.getSubPath().isEmpty()) {
                place = place.resolve(mount.getSubPath());
                Files.createDirectories(place);
            }
            volumes.places.put(mount.getMountPath(), place);
        }
        return volumes;
    }

    /** In a kubelet's words. */
    private static <T> T there(@Nullable T object, Volume volume, String kind, String name) {
        if (object == null) {
            throw new ResourceNotFoundException(
                    "MountVolume.SetUp failed for volume \"%s\" : %s \"%s\" not found"
                            .formatted(volume.getName(), kind, name));
        }
        return object;
    }

    /** The same words about this machine. */
    String here(String words) {
        List<String> mounts =
                places.keySet().stream()
                        .sorted(Comparator.comparing(String::length).reversed())
                        .toList();
        String now = words;
        for (String mount : mounts) {
            now = now.replace(mount, String.valueOf(places.get(mount)));
        }
        return now;
    }

    static String tail(Path log, int bytes) throws IOException {
        byte[] all = Files.readAllBytes(log);
        int from = Math.max(0, all.length - bytes);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }
}
