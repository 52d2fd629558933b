package dev.medley.profile.system;

import java.util.ArrayList;
import java.util.List;

/** Reads what sets a processor's frequency, as far as the system says; empty on most servers. */
public final class PowerFiles {
    private static final List<String> SETTINGS =
            List.of(
                    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                    "/sys/devices/system/cpu/cpufreq/boost",
                    "/sys/devices/system/cpu/intel_pstate/no_turbo",
                    "/sys/firmware/acpi/platform_profile");
    private static final String SUPPLIES = "/sys/class/power_supply/";

    private PowerFiles() {}

    /** {@code scaling_governor powersave, no_turbo 0, mains 1}. */
    public static String said(SystemFiles files) {
        List<String> said = new ArrayList<>();
        for (String setting : SETTINGS) {
            String value = files.text(setting);
            if (value != null) {
                said.add(setting.substring(setting.lastIndexOf('/') + 1) + " " + value);
            }
        }
        for (String supply : files.names(SUPPLIES)) {
            if ("Mains".equals(files.text(SUPPLIES + supply + "/type"))) {
                said.add("mains " + files.text(SUPPLIES + supply + "/online"));
            }
        }
        return said.isEmpty() ? "unknown" : String.join(", ", said);
    }
}
