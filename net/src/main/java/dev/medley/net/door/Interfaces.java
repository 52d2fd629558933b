package dev.medley.net.door;

import dev.medley.base.ConfigException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The network interfaces of this machine and their addresses.
 *
 * @param addresses by name of the interface that is up; IPv4 first, link-local last
 */
public record Interfaces(Map<String, List<InetAddress>> addresses) {
    public Interfaces {
        Map<String, List<InetAddress>> sorted = new TreeMap<>();
        Comparator<InetAddress> order =
                Comparator.comparing(InetAddress::isLinkLocalAddress)
                        .thenComparing(each -> !(each instanceof Inet4Address));
        addresses.forEach((name, all) -> sorted.put(name, all.stream().sorted(order).toList()));
        addresses = sorted;
    }

    /** Those that are up now. */
    public static Interfaces ofThisMachine() {
        Map<String, List<InetAddress>> addresses = new TreeMap<>();
        try {
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                List<InetAddress> here = new ArrayList<>(each.inetAddresses().toList());
                if (each.isUp() && !here.isEmpty()) {
                    addresses.put(each.getName(), here);
                }
            }
        } catch (SocketException e) {
            throw new ConfigException("the network interfaces cannot be listed: " + e, e);
        }
        return new Interfaces(addresses);
    }

    /**
     * The address of an interface that others can be told: IPv4 where it has one.
     *
     * @param key of the setting, for the message
     * @throws ConfigException that names those there are, if it is none
     */
    public String address(String key, String name) {
        List<InetAddress> found = addresses.get(name);
        if (found == null) {
            throw new ConfigException(
                    "%s %s: this machine has no such interface%s; it has %s"
                            .formatted(key, name, guess(name), spoken()));
        }
        String address = found.get(0).getHostAddress();
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }

    /** Interfaces are named alike and numbered: what differs in case or in its number is near. */
    private String guess(String name) {
        String plain = letters(name);
        return addresses.keySet().stream()
                .filter(each -> !plain.isEmpty() && letters(each).equals(plain))
                .findFirst()
                .map(each -> " (did you mean " + each + "?)")
                .orElse("");
    }

    private static String letters(String name) {
        return name.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z]", "");
    }

    private String spoken() {
        List<String> all = new ArrayList<>();
        addresses.forEach((name, here) -> all.add(name + " " + here.get(0).getHostAddress()));
        return String.join(", ", all);
    }
}
