package dev.medley.profile.system;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists GPUs as the system's files show them, without asking a driver. Those are cards on the bus,
 * devices that this process may open (of eight cards a container may have one), and the driver's
 * version.
 */
public final class DeviceFiles {
    private static final String BUS = "/sys/bus/pci/devices/";
    private static final String NVIDIA = "/dev/nvidia";

    private DeviceFiles() {}

    /** {@code 10de:2335, /dev/nvidia0, NVIDIA 570.86.15}; empty for none. */
    public static List<String> seen(SystemFiles files) {
        List<String> seen = new ArrayList<>();
        for (String slot : files.names(BUS)) {
            // Display controllers and processing accelerators, by the codes of PCI.
            String kind = files.textOrEmpty(BUS + slot + "/class");
            if (kind.startsWith("0x03") || kind.startsWith("0x12")) {
                seen.add(hex(files, slot, "/vendor") + ":" + hex(files, slot, "/device"));
            }
        }
        seen.sort(null); // A card in another slot is as fast.
        files.names("/dev").stream()
                .filter(name -> name.matches("nvidia\\d+|kfd|dxg"))
                .forEach(name -> seen.add("/dev/" + name));
        files.names("/dev/dri").stream()
                .filter(name -> name.startsWith("renderD"))
                .forEach(name -> seen.add("/dev/dri/" + name));
        String version = files.text("/sys/module/nvidia/version");
        String driver = version != null ? version : first(files, "/proc/driver/nvidia/version");
        if (driver != null) {
            seen.add("NVIDIA " + driver);
        }
        return seen;
    }

    /** Whether a device's file is one of NVIDIA's driver. */
    public static boolean isNvidia(String device) {
        return device.startsWith(NVIDIA);
    }

    private static String hex(SystemFiles files, String slot, String file) {
        return files.textOrEmpty(BUS + slot + file).replace("0x", "");
    }

    private static @Nullable String first(SystemFiles files, String path) {
        List<String> lines = files.lines(path);
        return lines.isEmpty() ? null : lines.get(0);
    }
}
