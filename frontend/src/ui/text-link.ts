import styles from './TextLink.module.css';

/** The class of a link that leads on, written with an arrow behind it. */
export const textLinkClass: string = styles.link ?? '';
