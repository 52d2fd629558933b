package dev.medley.store.object;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the settings of OpenDAL's services from the variables that other programs know. */
final class DalSettings {
    /** What a store that is not Amazon's usually calls its only region. */
    private static final String ANY_REGION = "us-east-1";

    private final Map<String, String> settings = new HashMap<>();
    private final UnaryOperator<@Nullable String> environment;

    private DalSettings(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    static Map<String, String> of(StoreUrl url, UnaryOperator<@Nullable String> environment) {
        DalSettings of = new DalSettings(environment);
        if (url.scheme() == StoreUrl.Scheme.FILE) {
            of.settings.put("root", url.folder());
            of.settings.put("atomic_write_dir", url.folder() + "/.incoming");
        } else {
            of.s3(url);
        }
        return of.settings;
    }

    private void s3(StoreUrl url) {
        settings.put("bucket", url.bucket());
        settings.put("root", "/" + url.folder());
        take("endpoint", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
        take("region", "AWS_REGION", "AWS_DEFAULT_REGION");
        if (!settings.containsKey("region")) {
            ConfigException.check(
                    settings.containsKey("endpoint"),
                    "%s: in which region? Set AWS_REGION, or AWS_ENDPOINT_URL for a store that is"
                            + " not Amazon's",
                    url);
            settings.put("region", ANY_REGION);
        }
        take("access_key_id", "AWS_ACCESS_KEY_ID");
        take("secret_access_key", "AWS_SECRET_ACCESS_KEY");
        take("session_token", "AWS_SESSION_TOKEN");
        if (settings.containsKey("access_key_id")) {
            settings.put("disable_config_load", "true"); // Nothing else is looked for:
            settings.put("disable_ec2_metadata", "true"); // off Amazon that takes a minute.
        }
    }

    private void take(String setting, String... variables) {
        for (String variable : variables) {
            String value = environment.apply(variable);
            if (value != null && !value.isBlank() && !settings.containsKey(setting)) {
                settings.put(setting, value);
            }
        }
    }
}
