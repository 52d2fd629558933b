package dev.medley.kubernetes.desired;

import dev.medley.base.Sha256;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names what an object should be by a fingerprint, the same in every process: it does not depend on
 * the order of keys.
 */
public final class Wish {
    private static final int DIGITS = 16;

    private Wish() {}

    /** The fingerprint of an object as it is now. */
    public static String of(HasMetadata object, KubernetesSerialization serialization) {
        String text = String.valueOf(sorted(serialization.convertValue(object, Map.class)));
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS);
    }

    private static @Nullable Object sorted(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            TreeMap<String, Object> all = new TreeMap<>();
            map.forEach(
                    (key, of) -> {
                        Object sorted = sorted(of);
                        if (sorted != null) {
                            all.put(String.valueOf(key), sorted);
                        }
                    });
            return all;
        } else if (value instanceof List<?> list) {
            return list.stream().map(Wish::sorted).map(String::valueOf).toList();
        }
        return value;
    }
}
