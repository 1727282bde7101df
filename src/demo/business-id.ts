export const DEMO_BUSINESS_ID = 'biz_demo';
