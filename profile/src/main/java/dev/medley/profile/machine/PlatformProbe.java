package dev.medley.profile.machine;

import dev.medley.profile.machine.MachineProfile.Platform;
import dev.medley.profile.system.SystemFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the operating system, the JVM, and what stands between them and the metal. */
final class PlatformProbe {
    private static final List<String> VIRTUAL_PRODUCTS =
            List.of(
                    "kvm",
                    "qemu",
                    "vmware",
                    "virtualbox",
                    "virtual machine",
                    "xen",
                    "amazon ec2",
                    "google compute engine",
                    "openstack",
                    "bhyve",
                    "parallels",
                    "firecracker");

    private final SystemFiles files;

    PlatformProbe(SystemFiles files) {
        this.files = files;
    }

    Platform probe() {
        return new Platform(
                system(),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                virtualisation());
    }

    /** What was found, and by which sign; {@code none found} is not a proof of bare metal. */
    String virtualisation() {
        List<String> found = new ArrayList<>();
        String product =
                (files.text("/sys/class/dmi/id/sys_vendor")
                                + " "
                                + files.text("/sys/class/dmi/id/product_name"))
                        .replace("null", "")
                        .strip();
        boolean isVirtualProduct =
                VIRTUAL_PRODUCTS.stream().anyMatch(product.toLowerCase(Locale.ROOT)::contains);
        boolean hasHypervisor =
                files.lines("/proc/cpuinfo").stream()
                        .filter(line -> line.startsWith("flags"))
                        .anyMatch(line -> line.contains(" hypervisor"));
        String hypervisor = files.text("/sys/hypervisor/type");
        if (isVirtualProduct) {
            found.add("virtual machine (" + product + ")");
        } else if (hypervisor != null) {
            found.add("virtual machine (" + hypervisor + ")");
        } else if (hasHypervisor) {
            found.add("virtual machine (the processor reports a hypervisor)");
        }
        if (files.exist("/.dockerenv")) {
            found.add("container (Docker)");
        } else if (files.exist("/run/.containerenv")) {
            found.add("container (Podman)");
        } else if (files.exist("/var/run/secrets/kubernetes.io")) {
            found.add("container (Kubernetes)");
        }
        return found.isEmpty() ? "none found" : String.join(", ", found);
    }

    private String system() {
        for (String line : files.lines("/etc/os-release")) {
            if (line.startsWith("PRETTY_NAME=")) {
                return line.substring("PRETTY_NAME=".length()).replace("\"", "");
            }
        }
        return System.getProperty("os.name");
    }
}
