//! Items, menus, countries, links and fees.
